// What the Action needs of the rest of the program.
import { dirname } from "node:path";
import { openRepository } from "../adapters/git.ts";
import { gitEnvironment } from "../adapters/git-process.ts";
import { findRemote } from "../adapters/git-remote.ts";
import { createGithubHost } from "../adapters/github.ts";
import { createGithubDiscussion } from "../adapters/github-discussion.ts";
import { openStores } from "../adapters/store-files.ts";
import { readHeader } from "../adapters/store-header.ts";
import { readWork, requireWhole } from "../adapters/store-scan.ts";
import { secretsOf } from "../config/secrets.ts";
import type { Stores } from "../ports.ts";
import { createRedactor } from "../session/redaction.ts";
import { foldEvents } from "../session/state.ts";
import type { ActionWiring, StorePlace } from "./action/wiring.ts";
import { findInstall, type Install } from "./install.ts";
import { redactArguments } from "./redact-ports.ts";
import { clock, runTrigger } from "./wire.ts";

export { clock };

/** Everything that the Action needs of the rest of the program. `installed`: where that is. */
export async function wireAction(installed?: Install): Promise<ActionWiring> {
  const install = installed ?? (await findInstall());
  const redact = createRedactor(secretsOf(process.env));
  return {
    redact,
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
    discussion: (place) => redactArguments(createGithubDiscussion(place), redact),
    openWorkStore: async (place) => {
      await requireWhole(place.folder);
      const { workId, kind, key } = place;
      return storesOf(place, install.version).open({ workId, kind, key });
    },
    readSessions: async ({ folder }) =>
      [...(await readWork(folder)).sessions].map(([sessionId, { events, auditHead }]) => ({
        sessionId,
        state: foldEvents(events),
        auditHead,
      })),
    readKey: async ({ folder }) => (await readHeader(folder))?.key,
    uploadFolder: async (upload) => (await import("../adapters/artifacts.ts")).uploadFolder(upload),
  };
}

function storesOf({ folder, stateKey }: StorePlace, codeVersion: string): Stores {
  return openStores({ stateFolder: dirname(folder), codeVersion, clock, stateKey });
}
