"use strict";
exports.id = 74;
exports.ids = [74];
exports.modules = {

/***/ 5074:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   initCommand: () => (/* binding */ initCommand)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_fs_promises__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(node_path__WEBPACK_IMPORTED_MODULE_1__);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9984);
/* harmony import */ var _surface_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2237);
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
            title: "A runbook: its steps are commands and questions, so it runs without a language model",
            priority: 1,
            status: "todo",
            steps: ["? name: Who is greeted?", '$ echo "Hello $LOOPLIA_NAME"', "What is no command is a note."],
        },
        {
            id: "T2",
            title: "Say in the README how to run the tests",
            priority: 2,
            status: "todo",
            details: "One short section with the command and what it needs.",
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
        [".github/workflows/looplia-tasks.yml", await workflow("looplia-tasks.yml")],
        [".github/workflows/looplia-answer.yml", await workflow("looplia-answer.yml")],
        [".looplia/.gitignore", "state/\n"],
    ];
    const { green, dim } = (0,_surface_js__WEBPACK_IMPORTED_MODULE_3__/* .colorsFor */ .u0)(surface, surface.stdout);
    for (const [path, text] of files) {
        const isNew = await create((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(root, path), text);
        surface.stdout.write(isNew ? `${green("✓")} ${path}\n` : dim(`  ${path} is there already: left as it is\n`));
    }
    surface.stdout.write(NEXT);
    return 0;
}
const NEXT = `
Next
  here       change to-do.json to what you need; \`looplia doctor\` says what is missing, \`looplia run\` begins
  articles   set \`content\` in looplia.yml, and copy examples/workflows/looplia.yml of the action beside the others
  on GitHub  in the workflows put your copy of the action in place of OWNER/looplia-action@000… and your default branch
             in place of main, make the secret ANTHROPIC_API_KEY, and allow Actions to open pull requests
             (Settings → Actions → General)
`;
/** False when there is something of that name: not even a link is followed. */
async function create(path, text) {
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdir)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path), { recursive: true });
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.writeFile)(path, text, { flag: "wx" });
        return true;
    }
    catch (cause) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errnoOf */ .UQ)(cause) === "EEXIST")
            return false;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("config-invalid", `${path} was not written: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .bD)(cause)}`, {
            hint: "Make its folder writable.",
            cause,
        });
    }
}


/***/ })

};
;