/**
 * Runs in a browser before any page. zod tests whether it may compile functions, which the content security policy
 * blocks and browsers report. This disables the test, through the object that `z.config` would change: zod itself must
 * not be loaded for it, and schemas read the object when they are created.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
