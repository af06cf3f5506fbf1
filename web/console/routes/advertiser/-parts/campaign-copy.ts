import { useNavigate } from '@tanstack/react-router';
import type { Campaign } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import type { Action } from '../../../parts/action.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { told } from '../../../parts/toast.ts';
import { copy } from '../../../queries/advertiser/campaign.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';

/** Makes another one of it, and leads there. */
export function useCopy(row: Campaign): Action {
  const t = useTexts(inventory);
  const navigate = useNavigate();
  const { mutateAsync } = useWrite(copy);
  return {
    label: t.copy,
    route: copy.route,
    run: async () => {
      const made = await mutateAsync({ path: { id: row.id } });
      told(t.copied);
      await navigate({ to: '/advertiser/campaigns/$id', params: { id: made.id } });
    },
  };
}
