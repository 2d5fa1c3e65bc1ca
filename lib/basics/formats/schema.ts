export { channelsOf, contrastOf, inkOn, luminanceOf } from "./colors.ts";
export { convertAmount, isRate, minorDigits, type Rates } from "./currencies.ts";
export { icpCharsMax, icpRegister, isIcpNumber } from "./icp.ts";
