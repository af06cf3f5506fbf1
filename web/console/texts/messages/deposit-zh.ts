/** Top-ups, receipts, their ways back, and the bank's statements. */
export const depositMessages = {
  '{0} is not configured on this platform.': '本平台未配置 {0}。',
  'belongs to USDT alone': '仅适用于 USDT。',
  '{0} orders are confirmed by their provider.': '{0} 订单由支付渠道确认。',
  'This reference stands for another receipt.': '此流水号已对应另一笔款项。',
  'No such evidence of yours.': '您没有此凭证。',
  'Proves another receipt already.': '已作为另一笔款项的凭证。',
  'An OFFLINE receipt needs it.': '线下款项须填写此项。',
  'Names another file than evidence_id.': '与 evidence_id 指的不是同一文件。',
  'It would not do any more what was shown; look at it again.':
    '结果已与此前显示的不同，请重新查看。',
  'Noted: above the limit a second person must decide the same.':
    '已记录：超过限额，须由第二人作出相同决定。',
  'Nobody sends this by machine.': '此款项不能自动退回。',
  'Its provider was told to send it back and has not said no: it may still do it.':
    '已要求支付渠道退回，对方尚未拒绝，仍可能退回。',
  'Write into the note under which reference it was sent back.': '请在备注中填写退回所用的参考号。',
  'There is nothing of this balance that was paid in and can go back.':
    '此余额中没有可退回的充值款项。',
  'At most {0} of this balance was paid in and can go back.':
    '此余额中最多有 {0} 是充值且可退回的。',
  'It was taken back before.': '此前已撤销。',
  'Taking it back waits for a second person.': '撤销正等待第二人批准。',
  'It was sent back to whoever paid it, or its provider may still do so.':
    '款项已退回付款人，或支付渠道仍可能退回。',
  'Its provider says that it came: no person takes it back.':
    '支付渠道确认款项已到账，不能人工撤销。',
  'Some of it goes back, or went back, by a refund of balance.':
    '其中一部分正在或已经通过余额退款退回。',
  'Less than it is left of the balance: the rest was spent.': '余额不足该款项金额：其余已消耗。',
  'It was said before what this movement is.': '此笔变动的用途此前已说明。',
  'A refund of the platform was sent by this movement.': '此笔变动是平台发出的退款。',
  'This line was recorded before.': '此行此前已记录。',
  'No order waits for just this ({0}); name the order that it is for.':
    '没有与此完全相符的待付订单（{0}）；请指定对应的订单。',
  'reference {0} is a payment of another day or amount already.':
    '流水号 {0} 已用于另一日期或金额的付款。',
  'Row {0}: {1}': '第 {0} 行：{1}。',
  'Row {0}, column "{1}": {2}': '第 {0} 行，“{1}”列：{2}。',
  'the file has a head and no lines, or nothing.': '文件只有表头没有数据，或为空。',
  'the file has more than {0} lines; split it.': '文件超过 {0} 行，请拆分。',
  'there is no such column.': '没有此列。',
  'two columns have this name.': '有两列同名。',
  'is nothing.': '为空。',
  'is no day as {0}.': '不是 {0} 格式的日期。',
  'is in the future.': '是将来的日期。',
  'begins as a formula.': '以公式开头。',
  'is longer than {0} characters.': '超过 {0} 个字符。',
  'row {0} has this reference already.': '第 {0} 行已有此流水号。',
  'is no amount of at most six decimals.': '不是最多六位小数的金额。',
  'is beyond what one payment may be.': '超出单笔付款的上限。',
  'may have thousands or decimals; say which decimal mark the file has.':
    '无法区分千位与小数，请指定文件的小数点符号。',
  'a quotation mark is not closed.': '引号未闭合。',
  'something follows a closing quotation mark.': '闭合引号之后有其他内容。',
  'the file is UTF-16; save it as UTF-8.': '文件为 UTF-16 编码，请另存为 UTF-8。',
  'is not UTF-8; save the file as UTF-8.': '不是 UTF-8 编码，请将文件另存为 UTF-8。',
  'holds a NUL; this is no text.': '含有 NUL 字符，不是文本文件。',
  'has {0} cells and the head {1}; is the delimiter right?':
    '有 {0} 个单元格，而表头有 {1} 个；请检查分隔符。',
  "says the same as row {0}; map the column of the bank's reference.":
    '与第 {0} 行内容相同；请指定银行流水号所在的列。',
  'the file has more than {0} payments; split it.': '文件超过 {0} 笔付款，请拆分。',
  '{0} is not {1}.': '{0} 不是 {1}。',
  'this is no XML of a bank.': '这不是银行的 XML 文件。',
  'this is no {0}.': '这不是 {0}。',
  'the file mixes messages of several namespaces.': '文件混有多个命名空间的报文。',
  'the file is of no account, or of several.': '文件没有账户，或有多个账户。',
  'its payments do not lead from the opening balance to the closing one.':
    '其中的收支与期初、期末余额不符。',
  'the balance {0} has no day, no amount, or another currency.':
    '余额 {0} 缺少日期或金额，或货币不同。',
  'the amount is nothing.': '金额为空。',
  'no day of booking.': '没有记账日期。',
  'the reference is longer than {0} characters.': '流水号超过 {0} 个字符。',
  'another has this reference already.': '已有另一行使用此流水号。',
} as const;
