export const id = 144;
export const ids = [144];
export const modules = {

/***/ 1144:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  doctorCommand: () => (/* binding */ doctorCommand),
  examine: () => (/* binding */ examine),
  findingLines: () => (/* binding */ findingLines)
});

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/session/plain-text.js
var plain_text = __webpack_require__(9179);
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(7975);
// EXTERNAL MODULE: ./build/config/diagnostics.js
var diagnostics = __webpack_require__(3811);
;// CONCATENATED MODULE: ./build/entrypoints/cli/doctor-checks.js
// The checks of `doctor` that need no network.







const LEAST_NODE = 20;
function checkNode(version) {
    const major = Number(/^v(\d+)/.exec(version)?.[1] ?? 0);
    if (major >= LEAST_NODE)
        return { name: "node", isWell: true, detail: version };
    return {
        name: "node",
        isWell: false,
        detail: `${version} is too old`,
        mend: `install Node ${LEAST_NODE} or newer`,
    };
}
/** A warning is well, but shown. */
function findingOf(name, { hint, ...bare }) {
    const isWell = bare.severity === "warning";
    const detail = `${isWell ? "warning: " : ""}${(0,diagnostics/* formatDiagnostic */.x)(bare)}`;
    return { name, isWell, detail, ...(hint === undefined ? {} : { mend: hint }) };
}
/** Git must be there; a folder outside a repository is said but well. */
async function checkGit(root) {
    const run = (0,external_node_util_.promisify)(external_node_child_process_.execFile);
    try {
        const { stdout } = await run("git", ["--version"]);
        const where = await run("git", ["-C", root, "rev-parse", "--show-toplevel"]).then((found) => found.stdout.trim(), () => "not in a repository");
        return { name: "git", isWell: true, detail: `${stdout.trim()}, ${where}` };
    }
    catch {
        return {
            name: "git",
            isWell: false,
            detail: "git cannot be run",
            mend: "install git and put it on the PATH",
        };
    }
}
/** Pipelines, agents, skills, profile and prompts, all that is wrong with them at once. */
async function checkConfiguration(root, pipeline, wiring) {
    try {
        const { trusted, builtin } = await wiring.readFiles(root);
        const { loadConfiguration } = await __webpack_require__.e(/* import() */ 714).then(__webpack_require__.bind(__webpack_require__, 8714));
        const { createPrompts } = await __webpack_require__.e(/* import() */ 732).then(__webpack_require__.bind(__webpack_require__, 3732));
        const prompts = createPrompts(builtin);
        const { configuration, diagnostics } = await loadConfiguration(trusted, builtin, { prompts });
        const { pipelines, agents, skills } = configuration;
        const findings = diagnostics.map((diagnostic) => findingOf("files", diagnostic));
        const named = pipelines.has(pipeline) ? [...pipelines.keys()] : [];
        if (named.length > 0)
            findings.push({ name: "pipelines", isWell: true, detail: named.join(", ") });
        else if (findings.every((finding) => finding.isWell)) {
            const mend = `use one of ${[...pipelines.keys()].join(", ")}`;
            findings.push({ name: "pipelines", isWell: false, detail: `there is no pipeline ${pipeline}`, mend });
        }
        findings.push({ name: "agents", isWell: agents.size > 0, detail: [...agents.keys()].join(", ") });
        findings.push({ name: "skills", isWell: true, detail: [...skills.keys()].join(", ") || "none" });
        return [...findings, await checkPrompts(prompts)];
    }
    catch (thrown) {
        return [{ name: "files", isWell: false, detail: (0,errors/* messageOf */.bD)(thrown), mend: "mend or reinstall that file" }];
    }
}
async function checkPrompts(prompts) {
    try {
        await prompts.render("nobody.md", {});
        return { name: "prompts", isWell: true, detail: "the install's own" };
    }
    catch (thrown) {
        return { name: "prompts", isWell: false, detail: (0,errors/* messageOf */.bD)(thrown), mend: "install looplia again" };
    }
}
/** True to what a write will meet: the folder, or the nearest one above it that is there. */
async function checkFolder(name, folder) {
    for (let path = folder;; path = (0,external_node_path_.dirname)(path)) {
        const found = await (0,promises_.stat)(path).catch(() => undefined);
        if (!found && path !== (0,external_node_path_.dirname)(path))
            continue;
        const isWritable = found?.isDirectory() === true &&
            (await (0,promises_.access)(path, external_node_fs_.constants.W_OK).then(() => true, () => false));
        if (isWritable)
            return { name, isWell: true, detail: `${folder} is writable` };
        const detail = found?.isDirectory() ? `${path} is not writable` : `${path} is no folder`;
        return {
            name,
            isWell: false,
            detail,
            mend: `make it a writable folder, or move state with LOOPLIA_STATE_DIR`,
        };
    }
}

// EXTERNAL MODULE: ./build/entrypoints/cli/resolve-place.js
var resolve_place = __webpack_require__(4235);
// EXTERNAL MODULE: ./build/entrypoints/cli/surface.js
var cli_surface = __webpack_require__(4738);
// EXTERNAL MODULE: ./build/entrypoints/cli/texts.js
var texts = __webpack_require__(8705);
;// CONCATENATED MODULE: ./build/entrypoints/cli/doctor.js






const PROBE_MS = 15_000;
/** Prints the findings; 0 only if all are well. */
async function doctorCommand(line, surface, wiring) {
    const found = await (0,resolve_place/* findPlace */.Pj)(surface, line.folder, line.overrides);
    const findings = await examine(found, wiring);
    if (line.isJson)
        surface.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
    else
        surface.stdout.write(findingLines(findings, (0,cli_surface/* colorsFor */.u0)(surface, surface.stdout)).join(""));
    return findings.every((finding) => finding.isWell) ? 0 : 1;
}
/** Every check; one that fails stops no other. */
async function examine(found, wiring) {
    const { root, stateFolder, settings } = found.place;
    return [
        checkNode(process.version),
        await checkGit(root),
        ...checkSettings(found),
        ...(await checkConfiguration(root, settings.pipeline, wiring)),
        ...(await checkProvider(found, wiring)),
        await checkFolder("artifacts", `${root}/.looplia`),
        await checkFolder("state", stateFolder),
    ];
}
function checkSettings({ diagnostics, place }) {
    if (diagnostics.length === 0)
        return [{ name: "settings", isWell: true, detail: place.root }];
    return diagnostics.map((diagnostic) => findingOf("settings", diagnostic));
}
async function checkProvider({ place }, wiring) {
    const { provider, anthropicApiKey } = place.settings;
    if (provider === "offline") {
        const detail = `offline (${texts/* REHEARSAL */.Ce}); set ANTHROPIC_API_KEY for a language model`;
        return [{ name: "provider", isWell: true, detail }];
    }
    if (anthropicApiKey === undefined) {
        const mend = "set the variable ANTHROPIC_API_KEY, or use --provider offline";
        return [{ name: "key", isWell: false, detail: "there is no key for anthropic", mend }];
    }
    const key = { name: "key", isWell: true, detail: "anthropic-api-key is set" };
    try {
        const detail = await wiring.probeProvider(place, AbortSignal.timeout(PROBE_MS));
        return [key, { name: "provider", isWell: true, detail }];
    }
    catch (thrown) {
        const mend = (thrown instanceof errors/* LoopliaError */.$K ? thrown.hint : undefined) ??
            "check the network and anthropic-base-url";
        return [key, { name: "provider", isWell: false, detail: (0,errors/* messageOf */.bD)(thrown), mend }];
    }
}
/** One line each, and how to mend it below. */
function findingLines(findings, { green, red, dim }) {
    return findings.flatMap(({ name, isWell, detail, mend }) => [
        `${isWell ? green("✓") : red("✗")} ${name.padEnd(10)} ${(0,plain_text/* toPlainLine */.Ic)(detail)}\n`,
        ...(mend === undefined ? [] : [dim(`  ${" ".repeat(10)} → ${(0,plain_text/* toPlainLine */.Ic)(mend)}\n`)]),
    ]);
}


/***/ })

};
