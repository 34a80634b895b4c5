// fast-check with the seed of this run, for every property test: a fixed one, so that no change is red by chance.
// PROPERTY_SEED=random explores, PROPERTY_SEED=<n> shows again what failed: fast-check names its seed.
import fc from "fast-check";

const asked = process.env.PROPERTY_SEED || "1";
const seed = asked === "random" ? Math.floor(Math.random() * 2 ** 31) : Number(asked);
if (!Number.isSafeInteger(seed))
  throw new Error(`PROPERTY_SEED=${asked} is neither "random" nor a whole number`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

const SURROGATES = { from: 0xd800, count: 0x800 };

/** The unit `"binary"`, which lists all million characters in every process before the first text. */
export const anyCharacter = fc.nat(0x10ffff - SURROGATES.count).map(
  (at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count),
  (character) => {
    const point =
      typeof character === "string" && character.isWellFormed() ? character.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== character) throw new Error("no character");
    return point < SURROGATES.from ? point : point - SURROGATES.count;
  },
);

/** How many tries each text or property gets where nothing else is said; the nightly run asks for more. */
export const TRIES = Number(process.env.FUZZ_TRIES || 120);

/** So many tries by day, and in the same measure more where FUZZ_TRIES asks for more. */
export function tries(byDay: number): { numRuns: number } {
  return { numRuns: Math.ceil((byDay * TRIES) / 120) };
}

export default fc;
