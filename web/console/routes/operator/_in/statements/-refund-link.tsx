import { useTexts } from '../../../../parts/texts.ts';
import { statement } from '../../../../texts/statement.ts';
import { PageLink } from '../-shown/page-link.tsx';

/** Of a refund of balance its page; a whole receipt that went back has none of its own. */
export function RefundLink({ refundId, of }: { refundId: number; of: number | null }) {
  const t = useTexts(statement);
  const name = t.refundOf(of ?? refundId);
  return of === null ? (
    <span>{name}</span>
  ) : (
    <PageLink to={`/operator/refunds/${of}`}>{name}</PageLink>
  );
}
