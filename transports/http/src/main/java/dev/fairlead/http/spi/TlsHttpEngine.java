package dev.fairlead.http.spi;

/**
 * An HTTP server that serves TLS and HTTP/2 too. A service of its own, so that its service file has
 * another name than that of an engine for plain HTTP: a jar into which the files of both are copied
 * keeps both.
 */
public interface TlsHttpEngine extends HttpEngine {}
