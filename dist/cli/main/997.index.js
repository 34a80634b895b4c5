"use strict";
exports.id = 997;
exports.ids = [997];
exports.modules = {

/***/ 2997:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  probeGithub: () => (/* binding */ probeGithub)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./build/errors.js
var build_errors = __webpack_require__(9984);
;// CONCATENATED MODULE: ./build/adapters/github-client.js
// The connection to GitHub's REST API and its errors. Octokit is loaded with the first request.

/** GitHub's limit of characters for a comment and for a pull request's text. */
const LIMIT = 65_536;
const LONGEST_WAIT_SECONDS = 60;
/** GitHub accepts about this many requests a minute that create something people are told of. */
const CREATIONS_A_MINUTE = 80;
/** A server that says nothing for so long is asked again. */
const TIMEOUT_MS = 30_000;
const SETTING = "allow it under Settings → Actions → General → Workflow permissions → “Allow GitHub Actions to create and approve pull requests” (of the organisation too, if it decides), then run again: the branch is pushed";
/** Requests of one repository. Waits out rate limits of up to a minute; retries what the server got wrong. */
function openApi(place) {
    const [owner = "", repo = ""] = place.repository.split("/");
    let connecting;
    const client = () => {
        connecting ??= connect(place);
        return connecting;
    };
    return { client, owner, repo };
}
async function connect(place) {
    const [{ Octokit }, { throttling }, { retry }, { paginateRest }, { default: Bottleneck }] = await Promise.all([
        __webpack_require__.e(/* import() */ 730).then(__webpack_require__.bind(__webpack_require__, 4730)),
        Promise.all(/* import() */[__webpack_require__.e(251), __webpack_require__.e(475)]).then(__webpack_require__.bind(__webpack_require__, 6856)),
        Promise.all(/* import() */[__webpack_require__.e(251), __webpack_require__.e(735)]).then(__webpack_require__.bind(__webpack_require__, 9735)),
        __webpack_require__.e(/* import() */ 779).then(__webpack_require__.bind(__webpack_require__, 3779)),
        __webpack_require__.e(/* import() */ 251).then(__webpack_require__.t.bind(__webpack_require__, 3251, 23)),
    ]);
    const second = place.secondMs ?? 1000;
    const waitOrNot = (seconds, _request, _octokit, retries) => seconds <= LONGEST_WAIT_SECONDS && retries < 2;
    const silent = () => { };
    const timed = (url, init) => fetchWhole(url, { ...init, signal: AbortSignal.timeout(place.timeoutMs ?? TIMEOUT_MS) });
    // The plugin's own pace is a write a second and a comment in three, which would keep a runner waiting for nothing.
    const pace = () => new Bottleneck.Group({
        maxConcurrent: 1,
        reservoir: CREATIONS_A_MINUTE,
        reservoirRefreshAmount: CREATIONS_A_MINUTE,
        reservoirRefreshInterval: 60 * second,
    });
    return new (Octokit.plugin(throttling, retry, paginateRest))({
        auth: place.token,
        baseUrl: place.apiUrl.replace(/\/+$/, ""),
        userAgent: "looplia-action",
        log: { debug: silent, info: silent, warn: silent, error: silent },
        request: { fetch: timed },
        retry: { retryAfterBaseValue: second },
        throttle: {
            id: `${place.apiUrl} ${place.repository}`,
            onRateLimit: waitOrNot,
            onSecondaryRateLimit: waitOrNot,
            retryAfterBaseValue: second,
            write: pace(),
            notifications: pace(),
        },
    });
}
/** An answer that broke off is none, so that it is asked for again: Octokit would take it for an empty one. */
const fetchWhole = async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null)
        return response;
    const text = await response.text();
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(response.headers.get("content-type") ?? "");
    if (response.ok && isJson)
        JSON.parse(text);
    return new Response(text, response);
};
/** The text, or `host-failed` where GitHub would refuse its length; `what` names it. */
function checkedText(what, text, limit = LIMIT) {
    if (text.length <= limit)
        return text;
    throw new LoopliaError("host-failed", `${what} of ${text.length} characters is over ${limit}`);
}
/** Errors of the work as `host-failed` with a hint; `what` completes "GitHub did not …". */
async function translate(what, work) {
    try {
        return await work();
    }
    catch (thrown) {
        throw translated(what, thrown);
    }
}
/** Like `translate`, but `instead` stands for what GitHub says with one of these statuses. */
async function translateBut(what, statuses, instead, work) {
    try {
        return await work();
    }
    catch (thrown) {
        if (statuses.includes(statusOf(thrown) ?? 0) && !isRateLimit(thrown))
            return instead;
        throw translated(what, thrown);
    }
}
/** For requests that make something: the plugin's retries look nothing up. */
const UNREPEATED = { request: { retries: 0 } };
/**
 * Makes something once. Where no answer came, or the server failed, it may be there all the same: then `find` looks, and
 * only where it finds nothing is it made again.
 */
async function makeOnce(what, make, find) {
    try {
        return await make();
    }
    catch (thrown) {
        const status = statusOf(thrown);
        if (thrown instanceof LoopliaError || (status !== undefined && status < 500))
            throw thrown;
    }
    return translate(what, async () => (await find()) ?? (await make()));
}
/** What was thrown as `host-failed`, unless it is an expected failure already. */
function translated(what, cause) {
    if (cause instanceof build_errors/* LoopliaError */.$K)
        return cause;
    const status = statusOf(cause);
    const hint = hintFor(status, wordsOf(cause));
    return new build_errors/* LoopliaError */.$K("host-failed", `GitHub did not ${what}${status ? ` (${status})` : ""}: ${wordsOf(cause)}`, {
        cause,
        ...(hint === undefined ? {} : { hint }),
    });
}
function hintFor(status, said) {
    if (/not permitted to create/i.test(said))
        return SETTING;
    if (/is locked/i.test(said))
        return "unlock the pull request's conversation";
    if (status === 401)
        return "check the github-token: it is missing or expired";
    if (isLimited(status, said))
        return "the hour's requests are used up: run again later";
    if (status === 403)
        return "give the job `permissions: pull-requests: write`";
    if (status === 404)
        return "check that the github-token may see this repository";
    if (status === undefined)
        return "check the network and GITHUB_API_URL, then run again";
    if (status >= 500)
        return "the server has a problem: run again later";
    return undefined;
}
/** GitHub's message with those of its `errors`. */
function wordsOf(thrown) {
    const response = fieldOf(thrown, "response");
    const errors = fieldOf(fieldOf(response, "data"), "errors");
    const details = Array.isArray(errors) ? errors.map((error) => fieldOf(error, "message")) : [];
    return [(0,build_errors/* messageOf */.bD)(thrown), ...details.filter((detail) => typeof detail === "string")].join(" ");
}
/** The status that GitHub answered with; undefined where no answer came. */
function statusOf(thrown) {
    const status = fieldOf(thrown, "status");
    return typeof status === "number" && fieldOf(thrown, "response") !== undefined ? status : undefined;
}
/** A property of anything. */
function fieldOf(value, name) {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
/** Whether GitHub answers nothing for now, and it is no question of permissions. */
function isRateLimit(thrown) {
    return isLimited(statusOf(thrown), wordsOf(thrown));
}
function isLimited(status, said) {
    return status === 429 || (status === 403 && /rate limit/i.test(said));
}

;// CONCATENATED MODULE: ./build/adapters/github-probe.js
// What GitHub lets a token do in a repository, found out without changing anything: what would make something names a
// branch or a commit that cannot be there, so that it is refused either for that or for the missing permission.


/** Asked once: who waits for `doctor` does not wait for retries. */
const ONCE = { request: { retries: 0 } };
const NO_COMMIT = "0".repeat(40);
/** Beginning of the tokens of apps, the job's own among them. */
const APP_TOKEN = "ghs_";
/** Fails with `host-failed` and what to do where GitHub is out of reach, or shows this token no such repository. */
async function probeGithub(place, run) {
    const api = openApi(place);
    const found = await translate("show the repository", () => readRepository(api));
    const [opening, checks, runs, setting] = await Promise.all([
        answerOf("try to open a pull request", () => openNothing(api, found.default_branch)),
        answerOf("try to make a check", () => checkNothing(api)),
        answerOf("tell of a workflow run", () => readRun(api, run)),
        readSetting(api),
    ]);
    const isApp = place.token.startsWith(APP_TOKEN);
    const asked = [["pull-requests: write", toldBy(opening)]];
    // Checks are made by apps alone, and a person's token reads what the person may.
    if (isApp)
        asked.push(["checks: write", toldBy(checks)], ["actions: read", toldBy(runs)]);
    const named = (wanted) => asked.filter(([, told]) => told === wanted).map(([permission]) => permission);
    return {
        repository: found.full_name,
        isPublic: !found.private,
        isArchived: found.archived,
        has: named("may"),
        lacks: named("may not"),
        mayActionsOpen: setting ?? settingBy(opening, isApp),
    };
}
/** GitHub's answer, whatever it is. Fails with `host-failed` where none came, or the server itself failed. */
function answerOf(what, request) {
    return translate(what, async () => {
        try {
            return { status: (await request()).status, words: "" };
        }
        catch (thrown) {
            const status = statusOf(thrown);
            const isAnswer = status !== undefined && status < 500 && ![401, 429].includes(status);
            if (!isAnswer || /rate limit/i.test(wordsOf(thrown)))
                throw thrown;
            return { status, words: wordsOf(thrown) };
        }
    });
}
const SETTING_IS_OFF = /not permitted to create/i;
/** Whoever lacks the permission is refused with 403; whoever has it for what is not there. */
function toldBy({ status, words }) {
    if (status === 403)
        return SETTING_IS_OFF.test(words) ? "may" : "may not";
    return [200, 404, 422].includes(status) ? "may" : "unknown";
}
function settingBy(opening, isApp) {
    if (SETTING_IS_OFF.test(opening.words))
        return false;
    return isApp && toldBy(opening) === "may" ? true : undefined;
}
async function readRepository({ client, owner, repo }) {
    const { data } = await (await client()).request("GET /repos/{owner}/{repo}", { owner, repo, ...ONCE });
    const { full_name, default_branch, archived } = data;
    return { full_name, default_branch, archived, private: data.private };
}
async function openNothing({ client, owner, repo }, base) {
    const head = `looplia-probe-${(0,external_node_crypto_.randomBytes)(6).toString("hex")}`;
    const fields = { owner, repo, head, base, title: "looplia doctor: no such branch", ...ONCE };
    return (await client()).request("POST /repos/{owner}/{repo}/pulls", fields);
}
async function checkNothing({ client, owner, repo }) {
    const fields = { owner, repo, name: "looplia doctor: no such commit", head_sha: NO_COMMIT, ...ONCE };
    return (await client()).request("POST /repos/{owner}/{repo}/check-runs", fields);
}
async function readRun({ client, owner, repo }, run) {
    const fields = { owner, repo, run_id: Number(run?.id ?? 1), attempt_number: Number(run?.attempt ?? 1) };
    const route = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}";
    return (await client()).request(route, { ...fields, ...ONCE });
}
/** Told to administrators alone. */
async function readSetting({ client, owner, repo }) {
    const route = "GET /repos/{owner}/{repo}/actions/permissions/workflow";
    const read = async () => (await (await client()).request(route, { owner, repo, ...ONCE })).data;
    return read().then((setting) => setting.can_approve_pull_request_reviews, () => undefined);
}


/***/ })

};
;