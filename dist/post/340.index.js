export const id = 340;
export const ids = [340];
export const modules = {

/***/ 24340:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   makeLineShapes: () => (/* binding */ makeLineShapes)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(55156);
// What a line of each store must look like. Loaded only when the first line is read: it takes long, and a new session has
// none.

function makeLineShapes() {
    const id = zod__WEBPACK_IMPORTED_MODULE_0__.string().min(1);
    const hash = zod__WEBPACK_IMPORTED_MODULE_0__.string().regex(/^[0-9a-f]{64}$/);
    const frame = zod__WEBPACK_IMPORTED_MODULE_0__.object({ seq: zod__WEBPACK_IMPORTED_MODULE_0__.int().min(1), at: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(1), type: id, payload: zod__WEBPACK_IMPORTED_MODULE_0__.unknown() });
    return {
        frame,
        auditFrame: frame.extend({ prev: hash, hash }),
        events: eventPayloads(id),
        conversation: conversationPayloads(id, hash),
    };
}
function eventPayloads(id) {
    const names = zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.string());
    const call = zod__WEBPACK_IMPORTED_MODULE_0__.object({ conversationId: id, toolCallId: id, toolName: zod__WEBPACK_IMPORTED_MODULE_0__.string() });
    return new Map(Object.entries({
        TaskCreated: zod__WEBPACK_IMPORTED_MODULE_0__.object({
            taskId: id,
            agent: id,
            outputs: names,
            inputs: zod__WEBPACK_IMPORTED_MODULE_0__.looseObject({ source: zod__WEBPACK_IMPORTED_MODULE_0__.string(), agent: zod__WEBPACK_IMPORTED_MODULE_0__.string(), profile: zod__WEBPACK_IMPORTED_MODULE_0__.string() }),
            conversationId: id,
        }),
        TaskStarted: zod__WEBPACK_IMPORTED_MODULE_0__.object({ taskId: id }),
        TaskCompleted: zod__WEBPACK_IMPORTED_MODULE_0__.object({ taskId: id }),
        TaskFailed: zod__WEBPACK_IMPORTED_MODULE_0__.object({ taskId: id, reasonCode: id, message: zod__WEBPACK_IMPORTED_MODULE_0__.string() }),
        TaskCanceled: zod__WEBPACK_IMPORTED_MODULE_0__.object({ taskId: id, reason: zod__WEBPACK_IMPORTED_MODULE_0__.string() }),
        UserInteractionRequested: zod__WEBPACK_IMPORTED_MODULE_0__.object({
            interactionId: id,
            shortId: id,
            taskId: id,
            conversationId: id,
            toolCallIds: names,
            authorActorId: id,
            kind: zod__WEBPACK_IMPORTED_MODULE_0__["enum"](["Select", "Confirm", "Input", "Composite"]),
            purpose: id,
            display: zod__WEBPACK_IMPORTED_MODULE_0__.looseObject({ title: zod__WEBPACK_IMPORTED_MODULE_0__.string() }),
            fingerprint: id,
        }),
        UserInteractionResponded: zod__WEBPACK_IMPORTED_MODULE_0__.object({ interactionId: id, taskId: id, authorActorId: id }),
        ToolCallStarted: call,
        ToolCallSettled: call.extend({
            outcome: zod__WEBPACK_IMPORTED_MODULE_0__["enum"](["done", "failed", "denied", "unknown"]),
            resultHash: zod__WEBPACK_IMPORTED_MODULE_0__.string(),
        }),
        ArtifactAccepted: zod__WEBPACK_IMPORTED_MODULE_0__.object({ taskId: id, output: id, contentHash: id }),
        ArtifactRefused: zod__WEBPACK_IMPORTED_MODULE_0__.object({ taskId: id, output: id, callId: id.optional(), errors: names }),
    }));
}
function conversationPayloads(id, hash) {
    const block = zod__WEBPACK_IMPORTED_MODULE_0__.looseObject({ type: zod__WEBPACK_IMPORTED_MODULE_0__.string() });
    return new Map(Object.entries({
        ConversationStarted: zod__WEBPACK_IMPORTED_MODULE_0__.object({
            conversationId: id,
            taskId: id,
            agent: id,
            frozen: hash,
            provider: id,
            model: id,
            depth: zod__WEBPACK_IMPORTED_MODULE_0__.int().min(0),
        }),
        Message: zod__WEBPACK_IMPORTED_MODULE_0__.object({
            conversationId: id,
            message: zod__WEBPACK_IMPORTED_MODULE_0__.object({ role: zod__WEBPACK_IMPORTED_MODULE_0__["enum"](["user", "assistant"]), content: zod__WEBPACK_IMPORTED_MODULE_0__.array(block) }),
            response: zod__WEBPACK_IMPORTED_MODULE_0__.looseObject({ model: id, stopReason: id, usage: zod__WEBPACK_IMPORTED_MODULE_0__.looseObject({}) }).optional(),
        }),
        ToolResult: zod__WEBPACK_IMPORTED_MODULE_0__.object({
            conversationId: id,
            block: zod__WEBPACK_IMPORTED_MODULE_0__.object({ type: zod__WEBPACK_IMPORTED_MODULE_0__.literal("tool_result"), tool_use_id: id, content: zod__WEBPACK_IMPORTED_MODULE_0__.string() }),
        }),
        ModelSwitched: zod__WEBPACK_IMPORTED_MODULE_0__.object({ conversationId: id, from: id, to: id, reason: zod__WEBPACK_IMPORTED_MODULE_0__.string() }),
    }));
}


/***/ })

};
