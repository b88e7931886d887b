declare module "legacy:*" {
  const run: (place: string | HTMLScriptElement) => void;
  export default run;
}
