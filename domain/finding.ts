/**
 * Automatic review findings: what a machine sees in a thing before a person looks at it. A
 * finding never decides. `blocker`: the thing cannot be approved before it is mended; `notice`: a
 * person must look; `info`: for the person who looks.
 */
export interface Finding {
  code: string;
  severity: 'info' | 'notice' | 'blocker';
  field?: string | undefined;
  note?: string | undefined;
}
