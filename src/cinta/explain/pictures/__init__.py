"""Pictures: graphs of what was recorded, drawn as SVG and as pages."""
