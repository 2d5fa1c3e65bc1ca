import { expect, test } from "vitest";
import { templateTextOf } from "./send-template-text.ts";

const options = {
  host: "go.example.com",
  linkScheme: false,
  variables: { code: "{code}", who: "{name|客户}" },
};

test("the link is fixed text with the variable of its slug, and columns are variables", () => {
  expect(templateTextOf("{name|there}，看 {link} 吧", options)).toEqual({
    text: `\${who}，看 go.example.com/\${code} 吧`,
    missing: [],
  });
  const { text } = templateTextOf("{link}", { ...options, linkScheme: true });
  expect(text).toBe(`https://go.example.com/\${code}`);
});

test("columns without a variable are named, and doubled braces are braces", () => {
  expect(templateTextOf("{{a}} {city} {city} {optout}", options)).toEqual({
    text: `{a} \${city} \${city} \${optout}`,
    missing: ["city", "optout"],
  });
  expect(templateTextOf("{link}", { ...options, variables: {} }).missing).toEqual(["link"]);
});
