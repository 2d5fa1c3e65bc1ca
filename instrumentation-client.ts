/** Keeps zod from testing whether it may compile, which browsers report. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
