// What the Action needs of the rest of the program.
import { findRemote, openRepository } from "../adapters/git.ts";
import { gitEnvironment } from "../adapters/git-process.ts";
import { createGithubHost } from "../adapters/github.ts";
import type { ActionWiring } from "./action/wiring.ts";
import { findInstall, runTrigger } from "./wire.ts";

export { clock } from "./wire.ts";

/** Everything that the Action needs of the rest of the program. */
export async function wireAction(): Promise<ActionWiring> {
  const install = await findInstall();
  return {
    runTrigger: (place, trigger) => runTrigger({ ...place, ...install }, trigger),
    openRepository: async ({ temporary, token, environment, ...where }) =>
      openRepository({
        temporary,
        token,
        remote: await findRemote(where),
        environment: gitEnvironment(environment),
      }),
    codeHost: createGithubHost,
    uploadFolder: async (upload) => (await import("../adapters/artifacts.ts")).uploadFolder(upload),
  };
}
