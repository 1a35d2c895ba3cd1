"""Where models answer: endpoints, the chat client of judges, and the stub server."""
