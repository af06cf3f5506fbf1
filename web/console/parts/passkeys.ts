/** At a bare address, or where a page did not come safely, browsers make and show no passkeys. */
export const passkeysWorkHere = (): boolean =>
  !/^[\d.]+$|:/.test(location.hostname) && globalThis.PublicKeyCredential !== undefined;

/** A passkey is good under the name that it was made for, and below it. */
export const passkeyFits = (name: string | undefined): boolean =>
  passkeysWorkHere() && (name === undefined || `.${location.hostname}`.endsWith(`.${name}`));
