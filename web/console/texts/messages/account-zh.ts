/** Logins, second factors, people, proof of identity, and what an account keeps. */
export const accountMessages = {
  'The password was changed meanwhile.': '密码在此期间已被修改。',
  'is not your password': '不是您的密码。',
  'must be the same as the new password': '须与新密码一致。',
  'must differ': '不能与原来相同。',
  'is too easy to guess': '太容易被猜到。',
  'must not be a word of this platform with a few more signs': '不能是平台常用词加几个符号。',
  'must differ from the e-mail address and username': '不能与邮箱或用户名相同。',
  'is used, too old, or not ours': '已使用、已过期，或不是由本平台签发。',
  'This e-mail address is taken.': '此邮箱已被使用。',
  'This username is taken.': '此用户名已被使用。',
  'This e-mail address is confirmed already.': '此邮箱已确认。',
  'This e-mail address {0}.': '此邮箱{0}。',
  'has a login already': '已有登录账号',
  'is invited already': '已收到邀请',
  'logs somebody else in': '已是他人的登录邮箱',
  'is your address already': '已是您的邮箱。',
  'is needed to change the address': '更换邮箱时必须填写。',
  'is unknown here, or not ours': '在此未知，或不是由本平台签发。',
  'is too old: log in and let another letter be sent': '已过期：请登录后重新发送邮件。',
  'is of an older letter: open the link of the newest one':
    '来自较早的邮件：请打开最新邮件中的链接。',
  'was taken back: log in to see which address counts': '已被撤销：请登录查看当前有效的邮箱。',
  'This letter is always written.': '此类邮件始终会发送。',
  'Name ids, or until.': '请指定 ids 或 until。',
  'Nobody logs in by this any more.': '已无人以此登录。',
  'Its person may still say that it was not them, until {0}.':
    '在 {0} 之前，本人仍可声明并非本人操作。',
  'It has ended.': '已结束。',
  'You have no second factor.': '您没有第二验证因素。',
  'This passkey is in use already.': '此通行密钥已在使用。',
  'A second factor is a duty here: add another one first.':
    '此处必须使用第二验证因素：请先添加另一个。',
  'At most {0} factors are kept.': '最多保留 {0} 个验证因素。',
  'Passkeys need a console at a host with a name.': '仅当控制台有域名时才能使用通行密钥。',
  'Recovery codes come with a second factor.': '须先有第二验证因素，才有恢复码。',
  'give one of code, recovery_code and passkey': '请提供验证码、恢复码或通行密钥之一。',
  'does not fit': '不匹配。',
  'is not the code of this moment': '不是当前的验证码。',
  'is not a good answer': '验证未通过。',
  'At most {0} people work in an account.': '一个账户最多 {0} 名成员。',
  'Nobody is logged in while {0}.': '状态为“{0}”时无人登录。',
  'Cannot invite again while {0}.': '状态为“{0}”时无法再次邀请。',
  'Cannot change the role while REMOVED.': '成员已移除，无法更改角色。',
  'Nobody changes or removes themselves: another ADMIN has to.':
    '不能更改或移除自己，须由另一名管理员操作。',
  'Nobody suspends themselves or changes their own role: another ADMIN has to.':
    '不能停用自己或更改自己的角色，须由另一名管理员操作。',
  'You count as them until another operator vouches for you: another ADMIN has to.':
    '在他人为您担保之前，您视同对方，须由另一名管理员操作。',
  'You count as somebody who is suspended until another operator vouches for you.':
    '您视同一名已停用的人员，须先由他人为您担保。',
  'They are the last ADMIN who is active: make another one first.':
    '对方是最后一名有效的管理员，请先新建一名。',
  'Cannot change the role while SUSPENDED.': '已停用，无法更改角色。',
  'They have the role {0} already.': '对方的角色已是“{0}”。',
  'Another view of this page has that name.': '此页面已有同名视图。',
  'At most {0} views {1} are kept.': '{1}最多保存 {0} 个视图。',
  'of a page': '每个页面',
  'of a person': '每人',
  'At most {0} webhooks are kept. Delete one first.': '最多保留 {0} 个 Webhook，请先删除一个。',
  'An account keeps at most {0} documents.': '一个账户最多保存 {0} 份证件。',
  'not among your documents: {0}': '不在您的证件中：{0}。',
  'Not possible while the verification is approved.': '身份认证已通过，无法执行此操作。',
  'The verification is approved: it can be renewed from {0} on.':
    '身份认证已通过，自 {0} 起可以续期。',
  'Not possible while the verification is {0}.': '身份认证状态为“{0}”，无法执行此操作。',
  'The renewal is being looked at.': '续期正在审核。',
  'The document is no longer valid; reject it.': '证件已失效，请拒绝。',
  'is no longer valid': '已失效。',
  'The papers are held already.': '证件已设为保留。',
  'Nobody holds the papers.': '证件未设为保留。',
  'Your proof of identity has expired: please renew it.': '您的身份认证已过期，请重新提交。',
  'Your proof of identity is being looked at.': '您的身份认证正在审核。',
  'Your proof of identity was sent back: please send what is missing.':
    '您的身份认证被退回，请补充所缺内容。',
  'A PDF with scripts, attachments or a password is not taken. Print it as a PDF again, or upload a photo.':
    '不接受带有脚本、附件或密码的 PDF。请重新打印为 PDF，或上传照片。',
  'This file cannot be read as a PDF: it is damaged or ends too early. Save or print it as a PDF again, or upload a photo.':
    '无法将此文件读取为 PDF：文件已损坏或不完整。请重新保存或打印为 PDF，或上传照片。',
  'This file is neither a picture (jpeg, png, gif, webp or avif) nor a PDF that can be read. Save or print it as a PDF, or upload a photo.':
    '此文件既不是图片（jpeg、png、gif、webp 或 avif），也不是可读取的 PDF。请保存或打印为 PDF，或上传照片。',
} as const;
