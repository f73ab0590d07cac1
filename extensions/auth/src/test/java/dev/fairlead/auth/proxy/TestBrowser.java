package dev.fairlead.auth.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.auth.wire.FormEncoding;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The browser of one person: it keeps cookies, and follows redirects as far as it is told. */
final class TestBrowser implements AutoCloseable {
    private static final Pattern HIDDEN =
            Pattern.compile("<input type=\"hidden\" name=\"([^\"]*)\" value=\"([^\"]*)\">");

    final Map<String, String> cookies = new ConcurrentHashMap<>();

    private final UnaryOperator<String> resolution;
    private final HttpClient client = HttpClient.newHttpClient();

    /**
     * @param resolution where a URL is really
     */
    TestBrowser(UnaryOperator<String> resolution) {
        this.resolution = resolution;
    }

    HttpResponse<String> open(String url) throws Exception {
        return send(HttpRequest.newBuilder().GET(), url);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String url) throws Exception {
        request.uri(URI.create(resolution.apply(url)));
        cookies.forEach((name, value) -> request.header("Cookie", name + "=" + value));
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        for (String set : answer.headers().allValues("Set-Cookie")) {
            String[] pair = set.split(";")[0].split("=", 2);
            cookies.put(pair[0], pair[1]);
        }
        return answer;
    }

    /** Sends the form of a page. */
    HttpResponse<String> submit(HttpResponse<String> page, String decision) throws Exception {
        Map<String, String> form = form(page);
        form.put("decision", decision);
        return post(action(page), form);
    }

    HttpResponse<String> post(String url, Map<String, String> form) throws Exception {
        return send(
                HttpRequest.newBuilder()
                        .header("Content-Type", FormEncoding.TYPE)
                        .POST(BodyPublishers.ofString(FormEncoding.body(form))),
                url);
    }

    private static String action(HttpResponse<String> page) {
        Matcher action = Pattern.compile("action=\"([^\"]*)\"").matcher(page.body());
        assertThat(action.find()).as(page.body()).isTrue();
        return page.uri().resolve(action.group(1)).toString();
    }

    /** The hidden fields of the form on a page. */
    static Map<String, String> form(HttpResponse<String> page) {
        Map<String, String> form = new LinkedHashMap<>();
        Matcher hidden = HIDDEN.matcher(page.body());
        while (hidden.find()) {
            form.put(hidden.group(1), hidden.group(2).replace("&amp;", "&"));
        }
        return form;
    }

    /** Follows redirects until one begins so, or there is a page; gives where it then is. */
    String follow(HttpResponse<String> answer, String end) throws Exception {
        HttpResponse<String> now = answer;
        while (true) {
            String next = location(now);
            if (next.isEmpty() || next.startsWith(end)) {
                return next.isEmpty() ? now.uri().toString() : next;
            }
            now = open(next);
        }
    }

    /** Empty if it is no redirect. */
    static String location(HttpResponse<?> answer) {
        return answer.headers().firstValue("Location").orElse("");
    }

    @Override
    public void close() {
        client.close();
    }
}
