// How long a library of the Action takes to load, in milliseconds. node load-library.js <name>
const LIBRARIES = new Map<string, () => Promise<unknown>>([
  ["@actions/core", () => import("@actions/core")],
  ["@actions/artifact", () => import("@actions/artifact")],
  [
    "Octokit with its plugins",
    () =>
      Promise.all([
        import("@octokit/core"),
        import("@octokit/plugin-paginate-rest"),
        import("@octokit/plugin-retry"),
        import("@octokit/plugin-throttling"),
      ]),
  ],
]);

const load = LIBRARIES.get(process.argv[2] ?? "");
if (!load) throw new Error(`One of ${[...LIBRARIES.keys()].join(", ")} is needed.`);
const startedAt = performance.now();
await load();
console.log(performance.now() - startedAt);
process.exit(0);
