# Varnish as a cache in front of Diglot, such that varnish.sh can have it forget single addresses. Change the lines marked (*).
vcl 4.1;
import std;

# (*) `diglot serve`
backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

# (*) Who may purge.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(405));
        }
        # Every variant of the address.
        return (purge);
    }
    # One variant for everyone who asks for no other form.
    if (req.http.Accept !~ "(?i)text/markdown|json") {
        set req.http.Accept = "*/*";
    }
}

sub vcl_backend_response {
    # Varnish stores no 308 by itself (RFC 9110 section 15.4.9 allows it): a redirect to the address of a page.
    if (beresp.status == 308 && beresp.http.Cache-Control ~ "max-age=[0-9]+") {
        set beresp.ttl = std.duration(regsub(beresp.http.Cache-Control, "^.*max-age=([0-9]+).*$", "\1s"), 0s);
    }
}

sub vcl_deliver {
    if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    }
}
