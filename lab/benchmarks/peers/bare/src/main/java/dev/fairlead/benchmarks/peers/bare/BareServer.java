package dev.fairlead.benchmarks.peers.bare;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A server with only the HTTP engine of the product and the JSON of a call: each request is read
 * into a record and answered from one. All cost beyond this is the price of the protocol.
 */
public final class BareServer {
    private BareServer() {}

    record Arguments(String text) {}

    record Params(String name, Arguments arguments) {}

    record Call(String jsonrpc, long id, String method, Params params) {}

    record Text(String type, String text) {}

    record Result(List<Text> content, boolean isError) {}

    record Answer(String jsonrpc, long id, Result result) {}

    /** Serves on the port that is the argument. */
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        VirtualThreadPool threads = new VirtualThreadPool(-1);
        Server server = new Server(threads);
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        ServerConnector connector =
                new ServerConnector(server, new HttpConnectionFactory(configuration));
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[0]));
        connector.setAcceptedTcpNoDelay(true);
        connector.setAcceptQueueSize(1024);
        server.addConnector(connector);
        server.setHandler(new Echo());
        server.start();
        server.join();
    }

    private static final class Echo extends Handler.Abstract {
        private final JsonMapper json =
                JsonMapper.builder()
                        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .build();

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws IOException {
            byte[] answer = json.writeValueAsBytes(answer(call(request)));
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.length);
            response.write(true, ByteBuffer.wrap(answer), callback);
            return true;
        }

        private Call call(Request request) throws IOException {
            try (InputStream body = Content.Source.asInputStream(request)) {
                byte[] bytes = body.readNBytes(Math.toIntExact(request.getLength()));
                return json.readValue(bytes, Call.class);
            }
        }

        private static Answer answer(Call call) {
            Text text = new Text("text", call.params().arguments().text());
            return new Answer("2.0", call.id(), new Result(List.of(text), false));
        }
    }
}
