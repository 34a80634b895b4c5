// Loaded with `--import`: time passes `CLOCK_RATE` times as fast in the process; its dates begin at `CLOCK_FROM` (ISO 8601)
// for all processes, and so agree.
const rate = Number(process.env.CLOCK_RATE);
const from = Date.parse(process.env.CLOCK_FROM);
const RealDate = Date;
const now = () => from + (RealDate.now() - from) * rate;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now() {
    return now();
  }
};
const elapsed = performance.now.bind(performance);
performance.now = () => elapsed() * rate;
for (const name of ["setTimeout", "setInterval"]) {
  const real = globalThis[name];
  globalThis[name] = (work, wait = 0, ...given) => real(work, wait / rate, ...given);
}
