/**
 * What a browser does before any page. zod tries whether it may write functions of its own, which the policy of our pages
 * refuses and browsers report. It is told not to, through the object that `z.config` would change: zod itself must not
 * be loaded for it, and schemas look at it when they are made.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
