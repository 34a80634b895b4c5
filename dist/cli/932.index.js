export const id = 932;
export const ids = [932];
export const modules = {

/***/ 3551:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   initCommand: () => (/* binding */ initCommand)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9473);
/* harmony import */ var _surface_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4738);
// `init`: what a repository needs to begin with. Nothing that is there is touched, and prompts stay with the program.




const SETTINGS = `# Every key is optional; \`looplia help run\` lists them all.
todo: to-do.json
# content: content/**/*.md
# max-cost-usd: 5
# policy: |
#   allow runCommand npm test
`;
const TODO = {
    schema_version: 1,
    source_files: ["README.md"],
    tasks: [
        {
            id: "T1",
            title: "Say in the README how to run the tests",
            priority: 1,
            status: "todo",
            details: "One short section with the command and what it needs.",
        },
        {
            id: "T2",
            title: "A runbook: its steps are commands and questions, so it runs without a language model",
            priority: 2,
            status: "todo",
            depends_on: ["T1"],
            steps: ["? name: Who is greeted?", '$ echo "Hello $LOOPLIA_NAME"', "What is no command is a note."],
        },
    ],
};
/** Writes what is missing and says what it did. Throws `config-invalid` where it can't write. */
async function initCommand(line, surface, wiring) {
    const root = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(surface.cwd, line.folder ?? ".");
    const workflow = (name) => (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(wiring.installFolder, "examples/workflows", name), "utf8");
    const files = [
        ["looplia.yml", SETTINGS],
        ["to-do.json", `${JSON.stringify(TODO, null, 2)}\n`],
        [".github/workflows/looplia.yml", await workflow("looplia.yml")],
        [".github/workflows/looplia-answer.yml", await workflow("looplia-answer.yml")],
        [".looplia/.gitignore", "state/\n"],
    ];
    const { green, dim } = (0,_surface_js__WEBPACK_IMPORTED_MODULE_3__/* .colorsFor */ .u0)(surface, surface.stdout);
    for (const [path, text] of files) {
        const isNew = await create((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(root, path), text);
        surface.stdout.write(isNew ? `${green("✓")} ${path}\n` : dim(`  ${path} is there already: left as it is\n`));
    }
    surface.stdout.write("Next: change to-do.json to what you need, then `looplia run`.\n");
    return 0;
}
/** False when there is something of that name: not even a link is followed. */
async function create(path, text) {
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdir)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path), { recursive: true });
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.writeFile)(path, text, { flag: "wx" });
        return true;
    }
    catch (cause) {
        if (cause instanceof Error && "code" in cause && cause.code === "EEXIST")
            return false;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("config-invalid", `${path} was not written: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .bD)(cause)}`, {
            hint: "Make its folder writable.",
            cause,
        });
    }
}


/***/ })

};
