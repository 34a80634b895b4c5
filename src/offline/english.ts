// The rehearsal reads English only: the words of another language would be tagged as English.

/** Why a text without markup is certainly not English, as a part of a sentence; undefined where it may be. */
export async function whyNotEnglish(plain: string): Promise<string | undefined> {
  const [letters = 0, latin = 0] = [/\p{L}/gu, /\p{Script=Latin}/gu].map((kind) => plain.match(kind)?.length);
  if (latin * 2 < letters) return "the source is in another script; the rehearsal reads English only.";
  const { francAll } = await import("franc-min");
  const [likeliest, ...others] = francAll(plain.slice(0, 5_000), { minLength: 200 });
  const english = [likeliest, ...others].find((found) => found?.[0] === "eng")?.[1] ?? 0;
  if (likeliest === undefined || likeliest[0] === "und" || english >= 0.93) return undefined;
  const code = Intl.getCanonicalLocales(likeliest[0])[0] ?? likeliest[0];
  const name = new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code;
  return `the source is in ${name}; the rehearsal reads English only.`;
}
