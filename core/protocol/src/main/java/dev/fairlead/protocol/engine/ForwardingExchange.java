package dev.fairlead.protocol.engine;

import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RequestRefusedException;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An exchange that passes everything on to another one. */
abstract class ForwardingExchange implements Exchange {
    private final Exchange exchange;

    ForwardingExchange(Exchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public void send(JsonRpcMessage message) {
        exchange.send(message);
    }

    @Override
    public void refuse(JsonRpcErrorResponse response, RequestRefusedException.Kind kind) {
        exchange.refuse(response, kind);
    }

    @Override
    public void abandon(RequestId request) {
        exchange.abandon(request);
    }

    @Override
    public void respondEarly(JsonRpcMessage response) {
        exchange.respondEarly(response);
    }

    @Override
    public void ended(RequestId request) {
        exchange.ended(request);
    }

    @Override
    public void staysOpen(RequestId request) {
        exchange.staysOpen(request);
    }

    @Override
    public void over(RequestId request) {
        exchange.over(request);
    }

    @Override
    public boolean disconnect(Duration retryAfter) {
        return exchange.disconnect(retryAfter);
    }

    @Override
    public boolean isStreaming() {
        return exchange.isStreaming();
    }

    @Override
    public boolean isOpen() {
        return exchange.isOpen();
    }

    @Override
    public boolean isConnected() {
        return exchange.isConnected();
    }

    @Override
    public void checkConnected() {
        exchange.checkConnected();
    }

    @Override
    public void onGone(Runnable action) {
        exchange.onGone(action);
    }

    @Override
    public Runnable inContext(Runnable task) {
        return exchange.inContext(task);
    }

    @Override
    public void run(String name, Runnable task) {
        exchange.run(name, task);
    }

    @Override
    public boolean isPipe() {
        return exchange.isPipe();
    }

    @Override
    public Optional<InetAddress> address() {
        return exchange.address();
    }

    @Override
    public Caller caller() {
        return exchange.caller();
    }

    @Override
    public List<String> header(String name) {
        return exchange.header(name);
    }
}
