import { Button } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../../api.ts';
import { SecretFile } from '../../../../parts/secret-file.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { subject } from '../../../../texts/subject.ts';

const EVIDENCE = 'GET /api/admin/receipt-evidence/{id}';

/** Fetched when somebody wants to see it: each look is on record. */
export function Evidence({ file }: { file: { id: number; mime: string; name: string | null } }) {
  const t = useTexts(subject);
  const [isShown, setShown] = useState(false);
  const name = file.name ?? t.evidence;
  if (isShown) {
    return (
      <SecretFile
        id={`evidence ${file.id}`}
        name={name}
        mime={file.mime}
        fetchFile={async () => (await api(EVIDENCE).file(EVIDENCE, { path: { id: file.id } })).blob}
      />
    );
  }
  return (
    <Button size="compact-sm" variant="default" mt="xs" onClick={() => setShown(true)}>
      {t.showEvidence(name)}
    </Button>
  );
}
