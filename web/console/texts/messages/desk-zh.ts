/** Reviews, tasks, approvals and flows. */
export const deskMessages = {
  'Cannot {0} while {1}.': '当前状态为“{1}”，无法执行“{0}”。',
  'Nothing of it is approved: there is nothing to take back.': '其内容均未通过审核，无可撤回。',
  'There is nothing to appeal: it was never reviewed.': '没有可申诉的内容：尚未经过审核。',
  'Only a rejection can be appealed.': '只有被拒绝的内容才能申诉。',
  'This was appealed before: change it and submit it again.': '此前已申诉过：请修改后重新提交。',
  'This review is {0}.': '此审核的状态为“{0}”。',
  'This was changed since it was submitted.': '提交之后内容已被修改。',
  'Cannot approve: {0}.': '不能通过：{0}。',
  'Cannot be approved: {0}.': '不能通过：{0}。',
  'The site is {0}.': '网站的验证状态为“{0}”。',
  'Neither the ad nor its campaign has a landing page.': '广告及其广告活动均没有落地页。',
  'This task is {0}.': '此任务的状态为“{0}”。',
  'This task is {0}: nobody need decide it.': '此任务的状态为“{0}”，无需再决定。',
  'The flow has begun again and has yet to ask this: answer once more.':
    '流程已重新开始，尚未再次提出此问题：请再回答一次。',
  'The flow refused this.': '流程拒绝了此操作。',
  'This flow has ended.': '此流程已结束。',
  '{0} works on this task until {1}.': '{0} 正在处理此任务，直到 {1}。',
  '{0} has decided this task: {1}.': '{0} 已对此任务作出决定：{1}。',
  'A second person must decide this: you made the step it checks.':
    '须由第二人决定：被复核的步骤由您完成。',
  'A rejection needs a reason.': '拒绝时须选择原因。',
  'Write to the owner what the reason is.': '请向所有者说明原因。',
  'Write under which reference it was sent back.': '请填写退回所用的参考号。',
  'made the step that this task checks: a second person must decide it':
    '是此任务所复核步骤的操作人：须由第二人决定。',
  'must be an active operator with the role {0}': '须为启用中且角色为“{0}”的运营人员。',
  'No such media.': '没有此素材。',
  'No other server has a film of this task.': '没有其他服务器存有此任务的视频。',
  'A second person must approve this.': '须由第二人批准。',
  'Withdraw what you have asked for.': '您自己提出的申请，请改为撤回。',
  'Its day has come: propose it for a later one.': '生效日期已到：请改为更晚的日期重新提议。',
  'The task of its flow decides this.': '此项由其流程的任务决定。',
  'What was asked for has changed since; it must be asked for again.':
    '申请的内容此后已变更，须重新申请。',
  'This setting has changed since; it must be asked for again.': '此设置此后已变更，须重新申请。',
} as const;
