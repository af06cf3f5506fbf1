import type { FlowStart } from './queues.ts';

export interface ExportInput {
  /** Row of report_exports. */
  exportId: number;
}

export const EXPORT_WORKFLOW = 'exportWorkflow';
export const exportWorkflowId = ({ exportId }: ExportInput): string => `export:${exportId}`;

export interface ExportResult {
  status: 'READY' | 'FAILED';
}

export const exportStart = (input: ExportInput): FlowStart => ({
  workflowId: exportWorkflowId(input),
  type: EXPORT_WORKFLOW,
  taskQueue: 'exports',
  input,
  summary: `Export ${input.exportId}`,
  attributes: { state: 'making', subject: `export:${input.exportId}` },
});
