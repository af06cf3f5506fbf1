import { texts } from '../parts/texts.ts';

/** Whose a domain is: claims, and the transfer of one that another account holds. */
export const claim = texts({
  en: {
    lapses: 'A claim that nobody proves is given up and its site archived:',
    held: (domain: string) => `Another account has verified ${domain}`,
    heldLead:
      'Your proof was found. The other account was told, and may object. Leave your proof in place: it is looked for again before anything changes.',
    refused: (domain: string) => `${domain} stays with the account that verified it`,
    refusedLead:
      'It was decided that the domain does not move to you. If it is yours today, put the proof in place and let us look again: the other account is asked anew.',
    contested: (domain: string) => `Another account asks for ${domain}`,
    contestedLead:
      'It proved that the domain is theirs. If it is yours, keep your own proof in place or object: a person then decides. Otherwise the domain goes over. What you have earned stays yours.',
    answerBy: 'Decided without an answer:',
    objected: 'You objected. A person decides.',
    disputed: 'A person looks at both sides and decides.',
    object: 'Object',
    objectTitle: 'Object to the transfer',
    objectionSent: 'Your objection is with the operators.',
    why: 'Why the domain is yours',
    whyHelp: 'Such as since when you own it, and where that can be seen.',
    withdraw: 'Ask no more',
    withdrawn: 'The transfer is not asked for any more.',
    transfer: 'Two accounts, one domain',
    claimant: 'Asks for it',
    holder: 'Holds it',
    claimantProof: 'Proof of the one who asks',
    holderProof: 'Proof of the holder',
    holderSince: 'Verified since',
    objection: 'What the holder says',
    outcomes: {
      PROOF_FOUND: 'found',
      TOKEN_NOT_FOUND: 'not found: its place answers without it',
      HTTP_404: 'not found: nothing is at its place',
    },
    due: 'End of the notice',
    approveHint: 'Approve: the domain goes to the account that asks. Reject: it stays.',
  },
  zh: {
    lapses: '无人证明归属的认领将失效，网站会被归档：',
    held: (domain) => `另一账户已验证 ${domain}`,
    heldLead:
      '已找到您的验证信息。我们已通知对方，对方可以提出异议。请保留验证信息：变更前会再次检查。',
    refused: (domain) => `${domain} 仍归已验证的账户所有`,
    refusedLead:
      '裁定结果：域名不转移给您。如果域名现在属于您，请放置验证信息并再次检查，我们会重新询问对方。',
    contested: (domain) => `另一账户申请转移 ${domain}`,
    contestedLead:
      '对方已证明域名归其所有。如果域名属于您，请保留验证信息或提出异议，由人工裁定；否则域名将转移。您已获得的收入不受影响。',
    answerBy: '若无答复，将于此时处理：',
    objected: '您已提出异议，由人工裁定。',
    disputed: '人工正在核对双方情况。',
    object: '提出异议',
    objectTitle: '对转移提出异议',
    objectionSent: '异议已提交给运营人员。',
    why: '域名为何属于您',
    whyHelp: '例如自何时拥有，以及可在何处查证。',
    withdraw: '撤回申请',
    withdrawn: '已撤回转移申请。',
    transfer: '两个账户，一个域名',
    claimant: '申请方',
    holder: '持有方',
    claimantProof: '申请方的验证',
    holderProof: '持有方的验证',
    holderSince: '验证时间',
    objection: '持有方的说明',
    outcomes: {
      PROOF_FOUND: '已找到',
      TOKEN_NOT_FOUND: '未找到：页面可访问，但没有该内容',
      HTTP_404: '未找到：该地址没有内容',
    },
    due: '通知期结束',
    approveHint: '通过：域名归申请方。拒绝：维持现状。',
  },
});
