package dev.fairlead.client.link;

import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;

/** Sends requests with the options of a user, through the interceptors. */
public interface Caller {
    /** Sends a request and waits for its result. */
    <P extends RequestParams, R extends Result> R call(Method<P, R> method, P params)
            throws InterruptedException;
}
