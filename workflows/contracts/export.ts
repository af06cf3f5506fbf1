export interface ExportInput {
  /** Row of report_exports. */
  exportId: number;
}

export const EXPORT_WORKFLOW = 'exportWorkflow';
export const exportWorkflowId = ({ exportId }: ExportInput): string => `export:${exportId}`;

export interface ExportResult {
  status: 'READY' | 'FAILED';
}
