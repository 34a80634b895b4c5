// What the Action needs of the rest of the program.
import { openRepository } from "../adapters/git.ts";
import { gitEnvironment } from "../adapters/git-process.ts";
import { findRemote } from "../adapters/git-remote.ts";
import { createGithubHost } from "../adapters/github.ts";
import { secretsOf } from "../config/secrets.ts";
import { createRedactor } from "../session/redaction.ts";
import type { ActionWiring } from "./action/wiring.ts";
import { redactArguments } from "./redact-ports.ts";
import { findInstall, runTrigger } from "./wire.ts";

export { clock } from "./wire.ts";

/** Everything that the Action needs of the rest of the program. */
export async function wireAction(): Promise<ActionWiring> {
  const install = await findInstall();
  const redact = createRedactor(secretsOf(process.env));
  return {
    runTrigger: (place, trigger) => runTrigger({ ...place, ...install }, trigger),
    openRepository: async ({ temporary, token, environment, ...where }) => {
      const remote = await findRemote(where);
      const place = { temporary, token, remote, environment: gitEnvironment(environment) };
      const repository = await openRepository(place);
      return {
        ...repository,
        // Commit messages are said to everybody.
        openBranch: async (...wanted) => redactArguments(await repository.openBranch(...wanted), redact),
      };
    },
    codeHost: (place) => redactArguments(createGithubHost(place), redact),
    uploadFolder: async (upload) => (await import("../adapters/artifacts.ts")).uploadFolder(upload),
  };
}
