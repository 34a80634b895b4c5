export const id = 535;
export const ids = [535];
export const modules = {

/***/ 40535:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  makeLineShapes: () => (/* binding */ makeLineShapes)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js
var schemas = __webpack_require__(55156);
;// CONCATENATED MODULE: ./build/session/work-shapes.js
// What a line of a work's log must look like.

/** Payloads by the type of their line. */
function workPayloads() {
    const text = schemas.string().min(1);
    const id = schemas.int().min(0);
    return new Map(Object.entries({
        WorkClaimed: schemas.object({ run: text, actorId: text, rerunBy: text.optional() }),
        WorkReleased: schemas.object({ run: text, isBehind: schemas.literal(true).optional() }),
        WorkClosed: schemas.object({ reason: text, isShown: schemas.literal(true).optional() }),
        PullRequestOpened: schemas.object({ number: id, url: text }),
        CommentPosted: schemas.object({
            role: schemas["enum"](["status", "request", "refusal"]),
            commentId: id,
            authorId: id,
            createdAt: text,
            interactionId: text.optional(),
            isCut: schemas.literal(true).optional(),
            answers: id.optional(),
        }),
        CommentHandled: schemas.object({
            commentId: id,
            createdAt: text,
            verdict: schemas["enum"](["accepted", "refused", "ignored"]),
            reason: schemas.string(),
            interactionIds: schemas.array(text).optional(),
            whatToDo: schemas.string().optional(),
            copy: schemas.array(schemas.string()).optional(),
            retry: schemas.object({ sessionId: text, output: text, attempts: id }).optional(),
            runsAll: schemas.literal(true).optional(),
        }),
        ConflictMet: schemas.object({
            files: schemas.array(schemas.object({ path: text, commit: text, sha256: text.optional(), ours: text.optional() })),
        }),
        RequestLost: schemas.object({ interactionId: text, changedComment: id.optional() }),
        RequestSettled: schemas.object({ interactionId: text, inVain: text.optional() }),
        CommentAcknowledged: schemas.object({ commentId: id }),
        MessageLeft: schemas.object({ commentId: id, actorId: text, text: schemas.string() }),
        MessageDelivered: schemas.object({ commentId: id, taskId: text }),
        LetterHandled: schemas.object({ id: schemas.string() }),
        CheckSaved: schemas.object({ checkId: id, headSha: text }),
        BaseListSeen: schemas.object({ hash: schemas.string(), commit: text.optional() }),
    }));
}

;// CONCATENATED MODULE: ./build/session/line-shapes.js
// What a line of each store must look like. Loaded only when the first line is read: it takes long, and a new session has
// none.


/** What a stored line must look like, by its store and type. */
function makeLineShapes() {
    const id = schemas.string().min(1);
    const hash = schemas.string().regex(/^[0-9a-f]{64}$/);
    const frame = schemas.object({ seq: schemas.int().min(1), at: schemas.string().min(1), type: id, payload: schemas.unknown() });
    return {
        frame,
        auditFrame: frame.extend({ prev: hash, hash }),
        events: eventPayloads(id),
        conversation: conversationPayloads(id, hash),
        work: workPayloads(),
    };
}
function eventPayloads(id) {
    const names = schemas.array(schemas.string());
    const call = schemas.object({ conversationId: id, toolCallId: id, toolName: schemas.string() });
    return new Map(Object.entries({
        TaskCreated: schemas.object({
            taskId: id,
            agent: id,
            outputs: names,
            inputs: schemas.looseObject({ source: schemas.string(), agent: schemas.string(), profile: schemas.string() }),
            conversationId: id,
        }),
        EndsReapplied: schemas.object({ commits: schemas.array(schemas.string()) }),
        ActAhead: schemas.object({ taskId: id, tree: schemas.string(), list: schemas.string() }),
        SummaryReported: schemas.object({
            taskId: id,
            summary: schemas.looseObject({
                task_id: schemas.string().nullable(),
                status: schemas["enum"](["done", "blocked", "skipped"]),
            }),
        }),
        TaskStarted: schemas.object({ taskId: id }),
        TaskCompleted: schemas.object({ taskId: id }),
        TaskFailed: schemas.object({
            taskId: id,
            reasonCode: id,
            message: schemas.string(),
            blocker: schemas.string().optional(),
        }),
        TaskCanceled: schemas.object({ taskId: id, reason: schemas.string() }),
        SessionCanceled: schemas.object({ reason: schemas.string() }),
        UserInteractionRequested: schemas.object({
            interactionId: id,
            shortId: id,
            taskId: id,
            conversationId: id,
            toolCallIds: names,
            authorActorId: id,
            kind: schemas["enum"](["Select", "Confirm", "Input", "Composite"]),
            purpose: id,
            display: schemas.looseObject({ title: schemas.string() }),
            fingerprint: id,
        }),
        UserInteractionResponded: schemas.object({ interactionId: id, taskId: id, authorActorId: id }),
        ApprovalGiven: schemas.object({ interactionId: id, taskId: id, actorId: id }),
        InteractionExpired: schemas.object({ interactionId: id, taskId: id, at: id }),
        ToolCallStarted: call.extend({ image: schemas.object({ before: id, after: id }).optional() }),
        ToolCallWithdrawn: call,
        ToolCallSettled: call.extend({
            outcome: schemas["enum"](["done", "failed", "denied", "unknown"]),
            resultHash: schemas.string(),
            notRun: schemas.string().optional(),
        }),
        ArtifactAccepted: schemas.object({ taskId: id, output: id, contentHash: id }),
        ArtifactRefused: schemas.object({ taskId: id, output: id, callId: id.optional(), errors: names }),
    }));
}
function conversationPayloads(id, hash) {
    const block = schemas.looseObject({ type: schemas.string() });
    return new Map(Object.entries({
        ConversationStarted: schemas.object({
            conversationId: id,
            taskId: id,
            agent: id,
            frozen: hash,
            provider: id,
            model: id,
            depth: schemas.int().min(0),
        }),
        Message: schemas.object({
            conversationId: id,
            message: schemas.object({ role: schemas["enum"](["user", "assistant"]), content: schemas.array(block) }),
            response: schemas.looseObject({ model: id, stopReason: id, usage: schemas.looseObject({}) }).optional(),
        }),
        ToolResult: schemas.object({
            conversationId: id,
            block: schemas.object({ type: schemas.literal("tool_result"), tool_use_id: id, content: schemas.string() }),
        }),
        ModelSwitched: schemas.object({ conversationId: id, from: id, to: id, reason: schemas.string() }),
    }));
}


/***/ })

};
