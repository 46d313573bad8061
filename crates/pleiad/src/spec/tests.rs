use super::*;

const BASE: &str = "[data]\npath = \"t.csv\"\n[cluster]\nclusters = 2\n[columns]\n";
#[test]
fn explore() {
    for c in [
        "x = { kind = \"numerik\" }", "x = { knd = 3 }", "x = { wxyz = 3 }","x = 3", "x = { kind = 3 }", "x = { kind = {numeric=1} }",
        "x = { kind = \"numeric\", bounds = 3 }", "x = { kind = \"numeric\", bounds = [1] }", "x = { kind = \"numeric\", bounds = [1, true] }",
        "x = { kind = \"numeric\", bounds = [1, nan] }", "x = { kind = \"numeric\", bounds = [1, \"1900-01-01\"] }",
        "x = { kind = \"date\", bounds = [1, 2] }", "x = { kind = \"date\", bounds = [1900-01-01, 1900-01-01] }", "x = { kind = \"date\", bounds = [1900-01-01, 1900-01-02T00:00:00] }",
        "x = { kind = \"numeric\", bounds = [-1e308, 1e308] }","x = { kind = \"numeric\", bounds = [0, 1], step = 0.3 }","x = { kind = \"numeric\", step = \"1\" }",
        "x = { kind = \"numeric\", may_be_missing = 1 }", "x = {}", "", "x = { kind = \"numeric\"", "x = { kind = \"numeric\" }\nx = { kind = \"set\" }",
        "[columns.y]\nkindd=1", "\"\" = { kind = \"set\" }", "x = { kind = \"set\", values = [1] }", "x = { kind = \"set\", taxonomy = \"no.csv\" }", "x.y = 1", "x.kind = \"set\"\nx.bounds = [1]",
        "x = { kind = \"set\", values = [\"a;b\"] }","x = { kind = \"set\", values = [\" a\"] }",
        "x = { kind = \"numeric\", weight = 99999999999999999999999999999999999999999999999 }","x = { kind = \"numeric\", weight = 1e999 }",
        "x = { role = \"identifier\", kind = \"set\" }","x = { role = \"identifier\"}", "y= {kind = \"date\"}\n[protect]\nmethod=1", "y= {kind = \"date\"}\n[clusterr]\n",
    ] {
        println!("--- {c}\n{}", Spec::parse(&format!("{BASE}{c}\n"), Path::new("p.toml")).map_or_else(|e| e.to_string(), |s| format!("{:?}", s.plan.columns)));
    }
    for t in ["", "\u{feff}[data]\nx=1", "[data]\n[columns]\n[cluster]", "[data]\npath=\"x\"\n[cluster]\nclusters=-1", "[data]\npath=\"x\"\n[cluster]\nclusters=1.5","[data]\npath=\"x\"\n[cluster]\nclusters=1\n[columns]\n", "data=3", "x", "[data]\npath = \"a\n", "[data]\nincomplete_rows = \"refus\""] {
        println!("--- {t}\n{}", Spec::parse(t, Path::new("p.toml")).map_or_else(|e| e.to_string(), |s| format!("{:?}", s)));
    }
    println!("{}", json_schema());
}
