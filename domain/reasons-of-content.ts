import type { Reason } from './reason.ts';

/** What is shown, and where it is shown. */
export const CONTENT_REASONS = {
  MISLEADING: {
    kind: 'RETRY',
    title: { en: 'Misleading', zh: '内容误导' },
    text: {
      en: 'Say only what the product does, and show price and conditions truthfully. Then submit again.',
      zh: '请如实描述产品、价格和条件，修改后重新提交审核。',
    },
    guidance: {
      en: 'False claims, fake buttons or system messages, promised gains, hidden conditions.',
      zh: '虚假宣传、伪装按钮或系统提示、承诺收益、隐藏条件。',
    },
  },
  PROHIBITED_CONTENT: {
    kind: 'FINAL',
    title: { en: 'Prohibited content', zh: '禁止内容' },
    text: {
      en: 'This is not shown on the platform in any form. Please do not submit it again.',
      zh: '平台不接受任何形式的此类内容，请勿再次提交。',
    },
    guidance: {
      en: 'Weapons, drugs, hatred, violence, counterfeit goods, illegal services.',
      zh: '武器、毒品、仇恨、暴力、假冒商品、违法服务。',
    },
  },
  ADULT_CONTENT: {
    kind: 'FINAL',
    title: { en: 'Adult content', zh: '成人内容' },
    text: {
      en: 'Sexual content is not accepted. Please do not submit it again.',
      zh: '平台不接受色情内容，请勿再次提交。',
    },
    guidance: {
      en: 'Nudity, sexual services, or suggestive pictures that have nothing to do with the product.',
      zh: '裸露、性服务，或与产品无关的性暗示画面。',
    },
  },
  LICENCE_MISSING: {
    kind: 'RETRY',
    title: { en: 'A licence is needed', zh: '缺少行业资质' },
    text: {
      en: 'This trade needs a licence. Send it with your proof of identity, then submit again.',
      zh: '该行业需要相关资质，请随身份认证一并提交后重新送审。',
    },
    guidance: {
      en: 'Medicine, finance, gambling, alcohol and the like, without a licence on file.',
      zh: '医药、金融、博彩、酒类等行业，且档案中没有资质。',
    },
  },
  TRADEMARK: {
    kind: 'RETRY',
    title: { en: 'Somebody else’s brand', zh: '涉及他人品牌' },
    text: {
      en: 'Take the brand out, or send the permission to use it. Then submit again.',
      zh: '请移除该品牌，或提供授权证明后重新提交。',
    },
    guidance: {
      en: 'A name, logo or face that is not the owner’s, without a permission on file.',
      zh: '使用他人的名称、标志或肖像，且档案中没有授权。',
    },
  },
  LANDING_PAGE_BROKEN: {
    kind: 'RETRY',
    title: { en: 'Landing page does not work', zh: '落地页无法访问' },
    text: {
      en: 'Make sure that the page opens on phones and computers everywhere you target. Then submit again.',
      zh: '请确保落地页在所有投放地区的手机和电脑上均可打开，然后重新提交。',
    },
    guidance: {
      en: 'An error, a blank page, an expired certificate, or a page behind a login.',
      zh: '报错、空白、证书过期，或需要登录才能访问。',
    },
  },
  LANDING_PAGE_DIFFERS: {
    kind: 'RETRY',
    title: { en: 'Landing page shows something else', zh: '落地页与广告不符' },
    text: {
      en: 'Lead to a page that offers what the ad shows. Then submit again.',
      zh: '请将链接指向与广告内容一致的页面后重新提交。',
    },
    guidance: {
      en: 'Another product or price, a redirect to another site, or a page that changes by visitor.',
      zh: '产品或价格不同、跳转到其他网站，或对不同访客展示不同页面。',
    },
  },
  MALWARE: {
    kind: 'FINAL',
    title: { en: 'Harmful code', zh: '恶意代码' },
    text: {
      en: 'Harmful code was found. Clean your systems and write to support before you submit anything else.',
      zh: '检测到恶意代码。请先清理系统并联系客服，再提交其他内容。',
    },
    guidance: {
      en: 'Downloads without asking, phishing, miners. Consider suspending the account.',
      zh: '强制下载、钓鱼、挖矿脚本。请考虑暂停该账户。',
    },
  },
  TARGETING_NOT_ALLOWED: {
    kind: 'RETRY',
    title: { en: 'Targeting is not allowed', zh: '定向不被允许' },
    text: {
      en: 'Leave out the countries where this may not be advertised. Then submit again.',
      zh: '请移除不允许投放该内容的国家或地区后重新提交。',
    },
    guidance: {
      en: 'The product may be advertised, but not in some of the countries that are targeted.',
      zh: '产品可以投放，但部分定向地区不允许。',
    },
  },
  LOW_QUALITY: {
    kind: 'RETRY',
    title: { en: 'Quality is too low', zh: '素材质量过低' },
    text: {
      en: 'Use a sharp picture of the right size and text without mistakes. Then submit again.',
      zh: '请使用清晰、尺寸合适的图片和无错误的文字后重新提交。',
    },
    guidance: {
      en: 'Blurred, stretched or cut off; text that cannot be read; an empty frame.',
      zh: '模糊、变形、被裁切，文字无法辨认，或画面空白。',
    },
  },
  UNSAFE_CODE: {
    kind: 'RETRY',
    title: { en: 'Code does what it should not', zh: '代码存在风险' },
    text: {
      en: 'Take out what the findings name: foreign hosts, redirects, frames, evaluated text. Then submit again.',
      zh: '请移除检测结果中列出的外部域名、跳转、框架或动态执行代码后重新提交。',
    },
    guidance: {
      en: 'The findings name the place. Harmless libraries of known hosts may pass.',
      zh: '检测结果已标明位置；来自知名域名的无害库可以通过。',
    },
  },
  NO_CONTENT: {
    kind: 'RETRY',
    title: { en: 'Not enough content', zh: '内容不足' },
    text: {
      en: 'Publish content of your own that visitors come for. Then submit again.',
      zh: '请发布足够的原创内容后重新提交。',
    },
    guidance: {
      en: 'Empty, under construction, parked, or nothing but ads.',
      zh: '空白、建设中、停放域名，或只有广告。',
    },
  },
  NOT_REACHABLE: {
    kind: 'RETRY',
    title: { en: 'Site cannot be reached', zh: '网站无法访问' },
    text: {
      en: 'Make sure that the site opens without a login. Then submit again.',
      zh: '请确保网站无需登录即可访问，然后重新提交。',
    },
    guidance: {
      en: 'Try twice, and from another country, before you give it.',
      zh: '请至少尝试两次，并从其他地区访问后再选择。',
    },
  },
  COPIED_CONTENT: {
    kind: 'FINAL',
    title: { en: 'Copied content', zh: '内容抄袭' },
    text: {
      en: 'Sites made of other people’s content are not accepted.',
      zh: '平台不接受由他人内容拼凑而成的网站。',
    },
    guidance: {
      en: 'Scraped, translated by machine, or streamed without rights. Name an original in the note.',
      zh: '采集、机器翻译或未经授权的内容，请在备注中注明原始来源。',
    },
  },
  ICP_MISSING: {
    kind: 'RETRY',
    title: { en: 'ICP record is missing', zh: '缺少 ICP 备案' },
    text: {
      en: 'Sites served from mainland China need an ICP record. Enter its number, then submit again.',
      zh: '在中国大陆提供服务的网站需要 ICP 备案，请填写备案号后重新提交。',
    },
    guidance: {
      en: 'Only for sites hosted in mainland China; the number must belong to the domain.',
      zh: '仅适用于托管在中国大陆的网站，备案号须与域名一致。',
    },
  },
  NOT_THE_OWNER: {
    kind: 'RETRY',
    title: { en: 'Ownership is in doubt', zh: '所有权存疑' },
    text: {
      en: 'Show that the site or app is yours: by another proof, or a letter of its owner. Then submit again.',
      zh: '请通过其他验证方式或所有者授权书证明网站或应用归您所有，然后重新提交。',
    },
    guidance: {
      en: 'Verified, but imprint, developer name or record say somebody else.',
      zh: '虽已验证，但网站信息、开发者名称或备案主体为他人。',
    },
  },
  INVALID_TRAFFIC: {
    kind: 'FINAL',
    title: { en: 'Invalid traffic', zh: '无效流量' },
    text: {
      en: 'Visits were bought or made by machines. This is not paid, and the decision stands.',
      zh: '检测到购买或机器产生的流量，相关收益不予支付，且该决定不可更改。',
    },
    guidance: {
      en: 'Reports of refused events or sudden growth support it. Attach the figures as evidence.',
      zh: '应有被拒绝事件的报表或异常增长佐证，请附上数据。',
    },
  },
  BAD_PLACEMENT: {
    kind: 'RETRY',
    title: { en: 'Placement is not acceptable', zh: '广告位位置不当' },
    text: {
      en: 'Keep ads apart from buttons, menus and downloads, and in view. Then submit again.',
      zh: '请将广告与按钮、菜单、下载链接分开并保持可见，然后重新提交。',
    },
    guidance: {
      en: 'Over content, next to buttons, hidden, or where children are addressed.',
      zh: '遮挡内容、紧邻按钮、隐藏，或面向儿童的位置。',
    },
  },
  TOO_MANY_ADS: {
    kind: 'RETRY',
    title: { en: 'Too many ads on a page', zh: '广告过多' },
    text: {
      en: 'Take some zones off the page, so that content prevails. Then submit again.',
      zh: '请减少页面上的广告位，使内容占主体，然后重新提交。',
    },
    guidance: {
      en: 'More ads than content on the first screen, or several pop-ups at once.',
      zh: '首屏广告多于内容，或同时出现多个弹窗。',
    },
  },
  WRONG_FORMAT: {
    kind: 'RETRY',
    title: { en: 'Format does not fit the place', zh: '格式与位置不符' },
    text: {
      en: 'Choose the type and size that fit this place. Then submit again.',
      zh: '请选择适合该位置的类型和尺寸后重新提交。',
    },
    guidance: {
      en: 'The type, size or device of the zone contradicts what its page has room for.',
      zh: '广告位的类型、尺寸或设备与页面不符。',
    },
  },
  OTHER: {
    kind: 'RETRY',
    title: { en: 'Another reason', zh: '其他原因' },
    text: {
      en: 'The note says what to change. Then submit again, or write to support.',
      zh: '请按备注说明修改后重新提交，或联系客服。',
    },
    guidance: {
      en: 'Only when nothing else fits; write a note that the owner can act on.',
      zh: '仅在没有合适原因时使用，并写明所有者可执行的备注。',
    },
  },
} as const satisfies Record<string, Reason>;
