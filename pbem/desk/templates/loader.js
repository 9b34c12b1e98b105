
// Unpacks the page's script and its words, and runs it. The policy above names its digest: another would not run.
(async () => {
  const packed = document.getElementById("packed").textContent.replace(/\s/g, "");
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  const end = text.indexOf("\n");
  const put = (type, id, content) => {
    const script = document.createElement("script");
    Object.assign(script, { type, id, textContent: content });
    document.body.append(script);
  };
  put("application/json", "data", text.slice(0, end));
  put("text/javascript", "script", text.slice(end + 1));
})().catch((error) => {
  document.getElementById("old").hidden = false;
  console.error(error);
});
