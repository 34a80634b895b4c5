type Message = { id?: unknown; method: string; params?: unknown };
export function answer(message: Message): object | undefined;
