// Large files, with how far they are.

export function sendWatched(url, file, onprogress) {
  return new Promise((settle, fail) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.setRequestHeader("x-csrf-token", document.querySelector('meta[name="csrf"]').content);
    request.setRequestHeader("accept", "application/json");
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && onprogress((event.loaded / event.total) * 100);
    request.onload = () => {
      if (request.status < 300) settle(request.response);
      else fail(new Error(request.response?.error ?? `That did not work (${request.status}).`));
    };
    request.onerror = () => fail(new Error("The file could not be sent. Is the service running?"));
    request.send(file);
  });
}
