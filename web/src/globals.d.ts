declare module "wasm_exec"; // Go's glue script: it only defines Go

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}
