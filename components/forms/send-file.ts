import { apiErrorOf } from "./call-api.ts";

export interface FileUpload<Created> {
  answer: Promise<Created>;
  abort: () => void;
}

/** The upload failed because it was canceled or the connection broke. */
export class UploadFailed extends Error {}

interface FileRequest<Created> {
  workspace: string;
  path: string;
  file: File;
  parse: (answer: unknown) => Created;
}

const nameCharsMax = 200;

/** Uploads a file with progress. With XMLHttpRequest, because fetch does not report upload progress. */
export function sendFile<Created>(
  { workspace, path, file, parse }: FileRequest<Created>,
  onProgress: (share: number) => void,
): FileUpload<Created> {
  const request = new XMLHttpRequest();
  const answer = new Promise<Created>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status !== 201) return reject(apiErrorOf(request.status, request.response));
      resolve(parse(request.response));
    };
    request.onerror = () => reject(new UploadFailed());
    request.onabort = () => reject(new UploadFailed());
  });
  const name = file.name.slice(-nameCharsMax);
  request.open("POST", `/api${path}?${new URLSearchParams({ name })}`);
  request.responseType = "json";
  request.setRequestHeader("Content-Type", "text/csv");
  request.setRequestHeader("X-Fuxi-Workspace", workspace);
  request.send(file);
  return { answer, abort: () => request.abort() };
}
