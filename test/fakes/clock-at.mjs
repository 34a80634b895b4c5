// Loaded with `--import`: the process begins at `CLOCK_AT` (ISO 8601), and its time passes as it does elsewhere.
const ahead = Date.parse(process.env.CLOCK_AT) - Date.now();
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + ahead] : given));
  }
  static now() {
    return RealDate.now() + ahead;
  }
};
