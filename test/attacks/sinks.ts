// A key in every form that a file may hold it in: the model reads each, and every sink is searched for each.
import { type Attack, hostileFolder, hostileRun, readTree, run, type Scene } from "./hostile-run.ts";

const KEY = "sk-ant-api03-canaryQ7f3x9zTn8LpW2vRk5Hs";

const hex = (text: string) => Buffer.from(text).toString("hex");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const each = (change: (code: number, one: string) => string) =>
  [...KEY].map((one) => change(one.charCodeAt(0), one)).join("");
const mirror = (text: string) => [...text].reverse().join("");

const FORMS: [name: string, text: string][] = [
  ["as it is", KEY],
  ["upper case", KEY.toUpperCase()],
  ["lower case", KEY.toLowerCase()],
  ["dashes between", [...KEY].join("-")],
  ["white space between", [...KEY].join(" ")],
  ["a character a line", [...KEY].join("\n")],
  ["zero-width between", [...KEY].join("\u200b")],
  ["colours between", each((_, one) => `\u001b[1m${one}\u001b[0m`)],
  ["hex", hex(KEY)],
  ["hex with colons", hex(KEY).replace(/..(?=.)/g, "$&:")],
  ["hex with 0x", hex(KEY).replace(/../g, "0x$&,")],
  ["hex mirrored", mirror(hex(KEY))],
  ["base64", base64(KEY)],
  ["base64 after one byte", base64(`a${KEY}`)],
  ["base64 after two bytes", base64(`ab${KEY}`)],
  ["base64 mirrored", mirror(base64(KEY))],
  ["base64 of the mirror image", base64(mirror(KEY))],
  ["base64 twice", base64(base64(KEY))],
  ["base64 of hex", base64(hex(KEY))],
  ["base64 for addresses", Buffer.from(KEY).toString("base64url")],
  ["base64 in short lines", base64(KEY).replace(/.{8}/g, "$&\n")],
  ["mirrored", mirror(KEY)],
  ["percent", hex(KEY).replace(/../g, "%$&")],
  ["percent for some", KEY.replace(/[a-f]/g, (one) => `%${hex(one)}`)],
  ["decimal entities", each((code) => `&#${code};`)],
  ["hexadecimal entities", each((code) => `&#x${code.toString(16)};`)],
  ["backslash x", hex(KEY).replace(/../g, "\\x$&")],
  ["backslash u", hex(KEY).replace(/../g, "\\u00$&")],
  ["backslash octal", each((code) => `\\${code.toString(8).padStart(3, "0")}`)],
  ["decimal numbers", each((code) => `${code} `)],
  ["octal numbers", each((code) => `${code.toString(8)} `)],
  ["bits", each((code) => `${code.toString(2).padStart(8, "0")} `)],
  ["quoted-printable", hex(KEY).replace(/../g, "=$&")],
  ["full-width", each((code) => String.fromCharCode(code + 0xfee0))],
  [
    "ROT13",
    KEY.replace(/[a-z]/gi, (one) =>
      String.fromCharCode(one.charCodeAt(0) + ((one.charCodeAt(0) & 31) < 14 ? 13 : -13)),
    ),
  ],
];

const sinks: Scene = {
  name: "a key in every form, in every sink",
  async attack() {
    const files = Object.fromEntries(FORMS.map(([, text], at) => [`f/${at}.txt`, `before ${text} after\n`]));
    const folder = hostileFolder(files);
    const reads = FORMS.map((_, at) => ({ name: "readFile", input: { path: `f/${at}.txt` } }));
    const cats = FORMS.map((_, at) => run(`cat f/${at}.txt`));
    const ended = await hostileRun({ folder, key: KEY, flags: ["--sandbox", "off", "--json"] }, [
      reads,
      ...cats.map((one) => [one]),
    ]);
    const written = [...readTree(folder)].filter(([path]) => !path.startsWith("f/"));
    const places: [string, string][] = [
      ["the model's requests", ended.requests],
      ["standard output", ended.stdout],
      ["standard error", ended.stderr],
      ...written.map(([path, text]): [string, string] => [path, text]),
    ];
    return FORMS.map(([name, form], at): Attack => {
      const quoted = JSON.stringify(form).slice(1, -1);
      const seen = [form, quoted, JSON.stringify(quoted).slice(1, -1), Buffer.from(form).toString("latin1")];
      const leaks = places
        .filter(([, text]) => seen.some((one) => text.includes(one)))
        .map(([place]) => place);
      const isRead = [at, FORMS.length + at].every((call) => ended.results[call]?.text.includes("before"));
      return {
        row: "sinks",
        name,
        held: isRead && leaks.length === 0,
        detail: isRead ? leaks.join(", ") : "it was not read",
      };
    });
  },
};

export const sinkScenes: Scene[] = [sinks];
