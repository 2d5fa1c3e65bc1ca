import { expect, test } from "vitest";
import { parseAgent } from "./index.ts";
import { type AppName, appLabel, appNames } from "./schema.ts";

const ios = (version: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)`;
const android = (device: string, chrome: string) =>
  `Mozilla/5.0 (Linux; Android ${device}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/${chrome} Mobile Safari/537.36`;

/** User agents that apps sent in 2024 to 2026, as published in logs and in the tests of other recognizers. */
const agents: Record<AppName, readonly string[]> = {
  wechat: [
    `${ios("18_7")} Mobile/15E148 MicroMessenger/8.0.69(0x18004539) NetType/WIFI Language/zh_CN`,
    `${android("15; 2210132C Build/AQ3A.240812.002", "130.0.6723.103")} XWEB/1300473 MMWEBSDK/20250201 MMWEBID/9172 MicroMessenger/8.0.57.2820(0x28003939) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64`,
    // HarmonyOS: matomo-org/device-detector, issue 8091
    "Mozilla/5.0 (Phone; OpenHarmony 5.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36  ArkWeb/4.1.6.1 Mobile MicroMessenger/8.0.9.39(0xf3100927) Weixin NetType/WIFI Language/zh_CN MMWEBID/2777 MMWEBSDK/202507060011 XWEB/1140307",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 NetType/WIFI MicroMessenger/7.0.20.1781(0x6700143B) WindowsWechat(0x63090c33) XWEB/13639 Flue",
  ],
  wecom: [
    `${ios("18_5")} Mobile/15E148 wxwork/4.1.38 MicroMessenger/7.0.1 Language/zh ColorScheme/Light`,
    `${android("15; V2232A Build/AP3A.240905.015.A2", "134.0.6998.136")} XWEB/1340157 MMWEBSDK/20250201 MMWEBID/140 wxwork/4.1.38 MicroMessenger/7.0.1 NetType/WIFI Language/zh Lang/zh ColorScheme/Light`,
  ],
  qq: [
    `${ios("26_5")} Mobile/15E148 QQ/9.3.0.612 V1_IPH_SQ_9.3.0_1_APP_A Pixel/1179 MiniAppEnable SimpleUISwitch/1 QQTheme/2971 AppId/537359287 Core/WKWebView NetType/WIFI QBWebViewType/1 WKType/1`,
    `${android("15; PJX110 Build/UKQ1.231108.001", "135.0.7049.111")} V1_AND_SQ_9.1.75_10026_HDBM_T PA QQ/9.1.75.25965 NetType/WIFI WebP/0.4.1 AppId/537287845`,
  ],
  weibo: [
    `${ios("17_6")} Mobile/15E148 Weibo (iPhone15,3__weibo__16.2.0__iphone__os17.6)`,
    `${android("11; Mi 10 Pro Build/RKQ1.200826.002", "86.0.4240.185")} Weibo (Xiaomi-Mi 10 Pro__weibo__11.1.3__android__android11)`,
  ],
  dingtalk: [
    `${ios("26_4")} Mobile/23E246 AliApp(DingTalk/7.8.1) com.laiwang.DingTalk/46766536 Channel/201200 language/zh-Hans-CN UT4Aplus/0.0.6 WK`,
    `${android("11; Pixel 4 XL Build/RQ3A.210705.001", "83.0.4103.106")} AliApp(DingTalk/6.0.30) com.alibaba.android.rimet/15213560 Channel/700159 language/zh-CN UT4Aplus/0.2.25 colorScheme/light`,
  ],
  feishu: [
    `${ios("17_6")} Version/17.6 Mobile/15E148 Safari/604.1 Lark/7.32.8 LarkLocale/zh_CN`,
    `${android("15; Pixel 7a Build/AP3A.241105.007", "131.0.6778.135")} Lark/7.32.8 LarkLocale/en_US ChannelName/Lark`,
  ],
  alipay: [
    `${ios("18_6_2")} Mobile/22G100 ChannelId(17) Ariver/1.1.0 AliApp(AP/10.8.30.6000) Nebula WK RVKType(0) AlipayDefined(nt:WIFI,ws:390|780|3.0,ac:ss) AlipayClient/10.8.30.6000 Language/zh-Hans Region/CN`,
    "Mozilla/5.0 (Linux; U; Android 11; zh-CN; M2012K11AC Build/RKQ1.200826.002) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0.3497.100 UWS/3.22.2.66 Mobile Safari/537.36 UCBS/3.22.2.66_230817192043 NebulaSDK/1.8.100112 Nebula AlipayDefined(nt:WIFI,ws:393|0|2.75) AliApp(AP/10.5.26.8000) AlipayClient/10.5.26.8000 Language/zh-Hans",
  ],
  douyin: [
    `${ios("17_5")} Mobile/15E148 aweme_29.3.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/zh`,
    `${android("12; M2102J2SC Build/SKQ1.211006.001", "75.0.3770.156")} aweme_210600 JsSdk/1.0 NetType/4G Channel/xiaomi_1128_64 AppName/aweme app_version/21.6.0 BytedanceWebview/d8a21c6`,
    `${android("8.1.0; PBAM00 Build/OPM1.171019.026", "62.0.3202.84")} aweme_lite_120400 AppName/aweme_lite JsSdk/1.0 NetType/WIFI`,
  ],
  xiaohongshu: [
    `${ios("18_5")} Mobile/15E148 discover/9.19.4 NetType/WiFi`,
    "Mozilla/5.0 (Linux; Android 12; SM-G991B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/107.0.0.0 Mobile Safari/537.36 Xiaohongshu/7.51.1",
  ],
  kuaishou: [
    `${ios("17_5")} Mobile/15E148 Kwai/12.8.20 NetType/WIFI`,
    "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36 Kwai/12.3.0",
  ],
  instagram: [
    `${ios("18_6")} Mobile/15E148 Instagram 400.0.0.27.80 (iPhone16,1; iOS 18_6; en_US; en; scale=3.00; 1179x2556; 812345678)`,
    `${android("16; A001T Build/BP2A.250605.031.A3", "151.0.7922.51")} Instagram 440.1.0.46.86 Android (36/16; 375dpi; 1080x2392; Nothing; A001T; Galaxian; mt6878; en_GB; 1028057492; IABMV/1)`,
  ],
  messenger: [
    `${ios("26_0")} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/500.0.0.0;FBSN/iOS]`,
    `${android("14; Pixel 8 Build/AP2A.240805.005", "129.0.6668.100")} [FB_IAB/Orca-Android;FBAV/478.0.0.43.115;]`,
  ],
  facebook: [
    `${ios("18_3")} Mobile/15E148 [FBAN/FBIOS;FBAV/515.0.0.43.108;FBBV/683141668;FBDV/iPhone17,1;FBMD/iPhone;FBSN/iOS;FBSV/18.3]`,
    `${android("15; CPH2565 Build/AP3A.240617.008", "146.0.7680.120")} [FB_IAB/FB4A;FBAV/554.0.0.59.70;IABMV/1;]`,
  ],
  tiktok: [
    `${ios("17_5")} Mobile/15E148 musical_ly_35.2.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en Region/US`,
    `${android("13; SM-A145F Build/TP1A.220624.014", "128.0.6613.146")} trill_360701 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/36.7.1 ByteLocale/fr BytedanceWebview/d8a21c6`,
  ],
  line: [
    `${ios("18_5")} Mobile/15E148 Safari Line/15.8.0`,
    `${android("14; SM-S918B Build/UP1A", "141.0.0.0")} Line/15.10.0/IAB`,
  ],
  kakaotalk: [
    `${ios("26_0")} Mobile/15E148 KAKAOTALK 26.8.1`,
    `${android("14; SM-S918N Build/UP1A.231005.007", "128.0.6613.146")} KAKAOTALK/26.8.1 (INAPP)`,
  ],
  linkedin: [
    `${ios("18_7")} Mobile/15E148 [LinkedInApp]/9.32.2485`,
    `${android("16; SM-A176U Build/BP2A.250605.031", "151.0.7922.85")} [LinkedInApp]/2.312.70`,
  ],
  snapchat: [
    `${ios("18_5")} Mobile/15E148 Snapchat/13.47.0.36 (like Safari/8621.1.15.10.7, panda)`,
    `${android("14; Pixel 8", "128.0.0.0")} Snapchat/13.10.0.40`,
  ],
  pinterest: [
    `${ios("18_0")} Mobile/15E148 [Pinterest/iOS]`,
    `${android("10; SM-A605GN Build/QP1A.190711.020", "83.0.4103.96")} [Pinterest/Android]`,
  ],
  x: [
    `${ios("17_6_1")} Mobile/21G93 Twitter for iPhone/10.64.1`,
    "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36 TwitterAndroid",
  ],
  // On an iPhone it has the name of Safari.
  telegram: [
    "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.6478.122 Mobile Safari/537.36 Telegram-Android/11.4.3 (Samsung SM-G965N; Android 14; SDK 34; HIGH)",
  ],
};

const examples = appNames.flatMap((app) => agents[app].map((agent) => [app, agent] as const));

test.each(examples)("%s is recognized as a person’s: %s", (app, agent) => {
  expect(parseAgent(agent)).toMatchObject({ app, bot: false });
});

test.each([
  `${ios("19_1")} Version/19.1 Mobile/15E148 Safari/604.1`,
  `${ios("18_1")} CriOS/126.0 Mobile/15E148 Safari/604.1`,
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  // A browser of its own, and one that names a page
  "Mozilla/5.0 (Linux; U; Android 13; zh-cn; 2201123G) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/109.0.5414.86 MQQBrowser/14.2 Mobile Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 Online/2",
  "",
])("a browser is no app: %s", (agent) => {
  expect(parseAgent(agent).app).toBeNull();
});

test.each([
  "facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; +https://www.linkedin.com)",
  "TelegramBot (like TwitterBot)",
])("what reads a link for an app is no visit inside it: %s", (agent) => {
  expect(parseAgent(agent)).toMatchObject({ app: null, bot: true });
});

test("apps have their own names in Chinese, and the others the same in both languages", () => {
  expect([appLabel("wechat", "en"), appLabel("wechat", "zh")]).toEqual(["WeChat", "微信"]);
  expect([appLabel("line", "en"), appLabel("line", "zh")]).toEqual(["LINE", "LINE"]);
});
