/**
 * ICP numbers: what a website in mainland China is filed under, such as 京ICP备12345678号-1. A website shows its number
 * at the bottom of its pages, with a link to the register.
 *
 * Without zod, because the redirect reads it too.
 */

export const icpCharsMax = 32;
export const icpRegister = "https://beian.miit.gov.cn/";

/** The abbreviation of a province, the kind of the number, the number, and that of one website of its owner. */
const pattern =
  /^[京津冀晋蒙辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川蜀贵黔云滇藏陕秦甘陇青宁新]ICP[备证]\d+号(?:-\d+[A-Z]?)?$/;

export function isIcpNumber(text: string): boolean {
  return text.length <= icpCharsMax && pattern.test(text);
}
