/** User agents of visitors on phones: of browsers, and of the in-app browsers of apps. */

export const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1";

const iphoneApp =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";
const androidApp =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/134.0.0.0 Mobile Safari/537.36";

export const inApp = {
  wechatIos: `${iphoneApp} MicroMessenger/8.0.69(0x18004539) NetType/WIFI Language/zh_CN`,
  wechatAndroid: `${androidApp} XWEB/1340157 MicroMessenger/8.0.57.2820(0x28003939) Weixin NetType/WIFI`,
  qqIos: `${iphoneApp} QQ/9.3.0.612 V1_IPH_SQ_9.3.0_1_APP_A`,
  qqAndroid: `${androidApp} MQQBrowser/6.2 TBS/047801 V1_AND_SQ_9.1.75_9390_YYB_D QQ/9.1.75.25965 NetType/WIFI`,
  facebookIos: `${iphoneApp} [FBAN/FBIOS;FBAV/515.0.0.43.108;FBSN/iOS]`,
  facebookAndroid: `${androidApp} [FB_IAB/FB4A;FBAV/515.0.0.43.108;]`,
  messengerIos: `${iphoneApp} [FBAN/MessengerForiOS;FBAV/515.0.0.43.108;FBSN/iOS]`,
  messengerAndroid: `${androidApp} [FB_IAB/Orca-Android;FBAV/515.0.0.43.108;]`,
} as const;
