// The build without Redis, which Octokit's plugins use too; the package only has types for the other build.

declare module "bottleneck/light.js" {
  export { default } from "bottleneck";
}
