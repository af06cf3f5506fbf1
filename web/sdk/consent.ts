import {
  PRIVACY_PARAMS,
  type PrivacySignals,
  restricts,
  restrictsStorage,
} from '../../domain/privacy-signals.ts';
import { asksForPrivacy } from './device.ts';
import { script } from './page.ts';

/** What the visitor has said of privacy. */
export interface Consent {
  /** In the words of the ad request (interface 4.13). */
  said: Partial<PrivacySignals>;
  /** The device is not described. */
  isPrivate: boolean;
  /** Something may be kept on the device. */
  mayRemember: boolean;
}

type Said = Consent['said'];
type Answer = (said: Said) => void;

/** How long a consent tool may take to say what it knows: an ad without it is a contextual one. */
const TOOL_MS = 1_000;

/**
 * Asked for every ad, as a choice may change. The page's consent tool says it by the IAB's functions, of
 * which the page has those of its law (TCF, GPP, US Privacy), or the page itself by attributes of the zone's
 * element or the script. A visitor who has not chosen yet has not agreed.
 */
export async function consentOf({ dataset }: HTMLElement): Promise<Consent> {
  const tools = await Promise.all([
    heard('__tcfapi', { gdpr: '1' }, ofTcf),
    heard('__gpp', {}, ofGpp),
    heard('__uspapi', {}, ofUsPrivacy),
  ]);
  const said: Said = Object.assign({}, ...tools);
  for (const name of PRIVACY_PARAMS) {
    const key = `adp_${name}`.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    said[name] = dataset[key] ?? script?.dataset[key] ?? said[name] ?? '';
  }
  const signals = said as PrivacySignals;
  return {
    said,
    isPrivate: asksForPrivacy() || restricts(signals),
    mayRemember: !restrictsStorage(signals),
  };
}

type Tool = (...parameters: unknown[]) => void;

async function heard(
  name: string,
  otherwise: Said,
  ask: (tool: Tool, answer: Answer) => void,
): Promise<Said> {
  const tool: unknown = Reflect.get(window, name);
  if (typeof tool !== 'function') return {};
  return await new Promise((resolve) => {
    setTimeout(resolve, TOOL_MS, otherwise);
    // A tool that fails has not said anything either.
    try {
      ask(tool as Tool, resolve);
    } catch {
      resolve(otherwise);
    }
  });
}

interface TcData {
  gdprApplies?: boolean;
  eventStatus?: string;
  tcString?: string;
  listenerId?: number;
}

function ofTcf(tool: Tool, answer: Answer): void {
  tool('addEventListener', 2, (data: TcData | null) => {
    const { gdprApplies, eventStatus, tcString = '', listenerId } = data ?? {};
    // While it is being asked (`cmpuishown`) a string is of before.
    const isChosen = eventStatus === 'tcloaded' || eventStatus === 'useractioncomplete';
    if (gdprApplies === false) answer({ gdpr: '0' });
    else answer({ gdpr: '1', gdpr_consent: isChosen ? tcString : '' });
    tool('removeEventListener', 2, () => undefined, listenerId);
  });
}

interface GppData {
  pingData?: { signalStatus?: string; gppString?: string; applicableSections?: number[] };
}

function ofGpp(tool: Tool, answer: Answer): void {
  tool('addEventListener', ({ pingData }: GppData) => {
    const { signalStatus, gppString = '', applicableSections = [] } = pingData ?? {};
    if (signalStatus === 'ready') answer({ gpp: gppString, gpp_sid: applicableSections.join() });
  });
}

function ofUsPrivacy(tool: Tool, answer: Answer): void {
  tool('getUSPData', 1, (data: { uspString?: string } | null) => {
    answer({ us_privacy: data?.uspString ?? '' });
  });
}
