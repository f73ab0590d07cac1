package dev.fairlead.docs;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;

/** The code of the pages about packages and deployment. */
final class DeploySnippets {
    private DeploySnippets() {}

    static HttpListener container() {
        // @start region="container"
        HttpListener http =
                Http.port(3001).host("0.0.0.0").allowHosts("localhost", "hello.example");
        // @end
        return http;
    }
}
