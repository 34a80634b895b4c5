// The build without Redis that Octokit's plugins use as well; its package has types for the other one only.

declare module "bottleneck/light.js" {
  export { default } from "bottleneck";
}
