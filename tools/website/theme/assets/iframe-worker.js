// Lets the search run in pages that are opened from disk, where a browser refuses workers: a frame
// that nobody sees runs the worker's script, and messages go through its window.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      frame.title = "search"
      document.body.append(frame)
      const inside = frame.contentWindow
      this.ready = new Promise((resolve) => {
        frame.contentDocument.open()
        inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
        inside.importScripts = (...scripts) => load(inside.document, scripts)
        const script = frame.contentDocument.createElement("script")
        script.src = url
        script.onload = resolve
        frame.contentDocument.write("<!doctype html><body>")
        frame.contentDocument.close()
        frame.contentDocument.body.append(script)
      })
      this.inside = inside
      this.frame = frame
    }
    postMessage(data) {
      this.ready.then(() => {
        this.inside.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) }))
      })
    }
    terminate() {
      this.frame.remove()
    }
  }
  window.Worker = window.IFrameWorker

  async function load(document, scripts) {
    for (const src of scripts) {
      await new Promise((resolve, reject) => {
        const script = document.createElement("script")
        Object.assign(script, { src, onload: resolve, onerror: reject })
        document.body.append(script)
      })
    }
  }
}
