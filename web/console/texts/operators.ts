import { texts } from '../parts/texts.ts';

/** Who works here. */
export const operators = texts({
  en: {
    lead: 'Money needs two persons. Until somebody else has vouched for them, operators count as who made them.',
    id: 'No.',
    username: 'User name',
    email: 'E-mail',
    nickname: 'Name',
    role: 'Role',
    password: 'First password',
    madeBy: 'Made by',
    onMachine: 'On the machine',
    vouched: 'Counts as',
    aPerson: 'A person of their own',
    asMaker: 'Who made them, until another vouches',
    since: 'Since',
    none: 'No operators yet.',
    make: 'Make an operator',
    makeHelp:
      'They change the password after their first login. A second operator vouches for them under Approvals.',
    made: 'Made. Another operator vouches for them under Approvals.',
  },
  zh: {
    lead: '资金须由两人放行。在他人担保之前，新运营人员视同其创建者。',
    id: '编号',
    username: '用户名',
    email: '邮箱',
    nickname: '姓名',
    role: '角色',
    password: '初始密码',
    madeBy: '创建者',
    onMachine: '在服务器上',
    vouched: '视同',
    aPerson: '独立的人',
    asMaker: '其创建者（等待他人担保）',
    since: '创建时间',
    none: '暂无运营人员。',
    make: '新建运营人员',
    makeHelp: '首次登录后请修改密码。须由另一名运营人员在“双人审批”中担保。',
    made: '已创建。请另一名运营人员在“双人审批”中担保。',
  },
});
